import assert from './assert.js';
import type { DeveloperId } from '../../domain/access.js';
import type { Developer, Invitation } from '../../domain/developer.js';
import type { Activation, Audited, DeveloperRepository, NewInvitation, OperatorRule } from '../../domain/ports.js';
import type { Role } from '../../domain/role.js';
import { hashOf } from './keys.js';
import { at } from './offers.js';

/** Lets the last operator go, without an entry of the audit. */
export const ANY_OPERATOR: OperatorRule & Audited = { keepOneOperator: false, entries: [] };

/** Keeps the last operator, without an entry of the audit. */
export const ONE_OPERATOR: OperatorRule & Audited = { keepOneOperator: true, entries: [] };

/** The nth invitation, good until 1000 milliseconds after the fixed noon. */
export function invitation(n: number, until = at(1000)): Invitation {
  return { hash: hashOf(n), until };
}

/** Returns what stands for the hash of a password. */
export function hashOfName(signInName: string): string {
  return `$hash of ${signInName}$`;
}

/** An invitation without an entry of the audit. */
export function inviting(offered: Invitation, time: Date, role?: Role): NewInvitation {
  return { invitation: offered, at: time, role, ...ANY_OPERATOR };
}

/** An activation with a session of its own, without an entry of the audit. */
export function activation(signInName: string, fields: Partial<Activation> = {}): Activation {
  const session = { hash: crypto.randomUUID(), createdAt: at(10), until: at(1000) };
  return { signInName, passwordHash: hashOfName(signInName), at: at(10), session, entries: [], ...fields };
}

/** Invites a developer and answers what is to be found then. */
export async function invited(repository: DeveloperRepository, id: DeveloperId, n: number): Promise<Developer> {
  await repository.invite(id, inviting(invitation(n), at(0)));
  return { id, role: 'developer', addedAt: at(0), invitation: invitation(n) };
}

/** Registers a developer and returns what is to be found then. */
export async function registered(repository: DeveloperRepository, id: DeveloperId): Promise<Developer> {
  assert.equal(await repository.register(id, { at: at(0), entries: [] }), true);
  return { id, role: 'developer', addedAt: at(0) };
}

/** Adds an operator who has signed in once. */
export async function operator(repository: DeveloperRepository, id: DeveloperId, n: number): Promise<Developer> {
  const developer = await active(repository, id, n, `Operator ${n}`);
  await repository.setRole(id, { role: 'operator', ...ONE_OPERATOR });
  return { ...developer, role: 'operator' };
}

/** Invites a developer who accepts, and answers what is to be found then. */
export async function active(
  repository: DeveloperRepository,
  id: DeveloperId,
  n: number,
  name: string,
): Promise<Developer> {
  await repository.invite(id, inviting(invitation(n), at(0)));
  assert.equal(await repository.activate(hashOf(n), activation(name)), true);
  const signIn = { signInName: name, passwordHash: hashOfName(name) };
  return { id, role: 'developer', addedAt: at(0), ...signIn, activeSince: at(10) };
}

/** The developers in the order in which they were added, 1,000 at most. */
export async function allDevelopers(repository: DeveloperRepository): Promise<readonly Developer[]> {
  return (await repository.list({ limit: 1_000 })).toReversed();
}

/** That these are the developers, in this order, by whatever way they are asked for. */
export async function assertKnown(repository: DeveloperRepository, ...expected: readonly Developer[]): Promise<void> {
  assert.deepEqual(await allDevelopers(repository), expected);
  for (const developer of expected) {
    const { id, invitation: open, signInName } = developer;
    assert.deepEqual(await repository.find(id), developer);
    if (open) assert.deepEqual(await repository.findByInvitation(open.hash), developer);
    if (signInName !== undefined) assert.deepEqual(await repository.findBySignInName(signInName), developer);
  }
}
