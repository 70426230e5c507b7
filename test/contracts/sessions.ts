import assert from './assert.js';
import type { SignIn, Storage } from '../../domain/ports.js';
import type { Session } from '../../domain/session.js';
import { activation, inviting } from './developers.js';
import { hashOf } from './keys.js';
import { ADA, at } from './offers.js';

/** The sessions of a store, the developers who start them, and the audit log that is stored together with both. */
export type SessionStore = Pick<Storage, 'sessions' | 'developers' | 'auditLog'>;

/** What stands for the hash of a password. */
export const PASSWORD_HASH = '$hash of a password$';

/** The nth session. */
export function session(n: number, fields: Partial<Session> = {}): Session {
  return { hash: hashOf(n), developerId: ADA, createdAt: at(0), until: at(1000), ...fields };
}

/** The nth session, started by a password that was right. */
export function signIn(n: number, fields: Partial<SignIn> = {}): SignIn {
  const { developerId: _own, ...started } = session(n);
  return { passwordHash: PASSWORD_HASH, session: started, entries: [], ...fields };
}

/** Starts a session. Its developer gets a sign-in with the first one. */
export async function start(
  { developers }: Pick<SessionStore, 'developers'>,
  { developerId: id, ...started }: Session,
): Promise<void> {
  const { passwordHash = PASSWORD_HASH } = (await developers.find(id)) ?? {};
  const fields = { passwordHash, session: started };
  if (await developers.signIn(id, signIn(0, fields))) return;
  const invitation = { hash: `invitation of ${id}`, until: at(1000) };
  await developers.invite(id, inviting(invitation, at(0)));
  assert.equal(await developers.activate(invitation.hash, activation(`name of ${id}`, fields)), true);
}

/** Starts sessions, one after the other. */
export async function addAll(store: SessionStore, ...sessions: readonly Session[]): Promise<void> {
  for (const one of sessions) await start(store, one);
  await assertOpen(store, ...sessions);
}

export async function assertOpen(store: SessionStore, ...sessions: readonly Session[]): Promise<void> {
  for (const one of sessions) assert.deepEqual(await store.sessions.findByHash(one.hash), one);
}

export async function assertEnded(store: SessionStore, ...ns: readonly number[]): Promise<void> {
  for (const n of ns) assert.equal(await store.sessions.findByHash(hashOf(n)), undefined);
}
