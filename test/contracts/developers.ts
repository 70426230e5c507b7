import assert from './assert.js';
import type { DeveloperId } from '../../domain/access.js';
import type { Developer, Invitation } from '../../domain/developer.js';
import type { Activation, DeveloperRepository, OperatorRule } from '../../domain/ports.js';
import { hashOf } from './keys.js';
import { at } from './offers.js';

/** Lets the last operator go. */
export const ANY_OPERATOR: OperatorRule = { keepOneOperator: false };

/** Keeps the last operator. */
export const ONE_OPERATOR: OperatorRule = { keepOneOperator: true };

/** The nth invitation, good until 1000 milliseconds after the fixed noon. */
export function invitation(n: number, until = at(1000)): Invitation {
  return { hash: hashOf(n), until };
}

/** Returns what stands for the hash of a password. */
export function hashOfName(signInName: string): string {
  return `$hash of ${signInName}$`;
}

export function activation(signInName: string, fields: Partial<Activation> = {}): Activation {
  return { signInName, passwordHash: hashOfName(signInName), at: at(10), ...fields };
}

/** Invites a developer and answers what is to be found then. */
export async function invited(repository: DeveloperRepository, id: DeveloperId, n: number): Promise<Developer> {
  await repository.invite(id, invitation(n), at(0));
  return { id, role: 'developer', addedAt: at(0), invitation: invitation(n) };
}

/** Registers a developer and returns what is to be found then. */
export async function registered(repository: DeveloperRepository, id: DeveloperId): Promise<Developer> {
  assert.equal(await repository.register(id, at(0)), true);
  return { id, role: 'developer', addedAt: at(0) };
}

/** Adds an operator who has signed in once. */
export async function operator(repository: DeveloperRepository, id: DeveloperId, n: number): Promise<Developer> {
  const developer = await active(repository, id, n, `Operator ${n}`);
  await repository.setRole(id, 'operator', ONE_OPERATOR);
  return { ...developer, role: 'operator' };
}

/** Invites a developer who accepts, and answers what is to be found then. */
export async function active(
  repository: DeveloperRepository,
  id: DeveloperId,
  n: number,
  name: string,
): Promise<Developer> {
  await repository.invite(id, invitation(n), at(0));
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
