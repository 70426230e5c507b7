import assert from './assert.js';
import type { DeveloperId } from '../../domain/access.js';
import type { ApiKey, ApiKeyId } from '../../domain/api-key.js';
import { DomainError } from '../../domain/errors.js';
import type { ApiKeyRepository } from '../../domain/ports.js';
import { ADA, at, uuid } from './offers.js';

export function keyIdOf(n: number): ApiKeyId {
  return uuid(n) as ApiKeyId;
}

/** A hash of the form of SHA-256; each n has its own. */
export function hashOf(n: number): string {
  return n.toString(16).padStart(8, '0').repeat(8);
}

/** The nth key. */
export function apiKey(n: number, fields: Partial<ApiKey> = {}): ApiKey {
  return {
    id: keyIdOf(n),
    hash: hashOf(n),
    prefix: `amk_${n.toString().padStart(6, '0')}`,
    developerId: ADA,
    name: `Key ${n}`,
    scopes: ['automations:read', 'automations:write'],
    createdAt: at(0),
    ...(n % 2 === 0 && { lifetime: n * 1000 }),
    ...fields,
  };
}

/** The keys in the order in which they were added, 1,000 at most. */
export async function allKeys(repository: ApiKeyRepository, developerId?: DeveloperId): Promise<readonly ApiKey[]> {
  return (await repository.list({ limit: 1_000, developerId })).toReversed();
}

/** That these are the keys, in this order, by whatever way they are asked for. */
export async function assertKept(repository: ApiKeyRepository, ...expected: readonly ApiKey[]): Promise<void> {
  for (const key of expected) {
    assert.deepEqual(await repository.find(key.id), key);
    assert.deepEqual(await repository.findByHash(key.hash), key);
  }
  assert.deepEqual(await allKeys(repository), expected);
  for (const developer of new Set<DeveloperId>(expected.map(({ developerId }) => developerId)))
    assert.deepEqual(
      await allKeys(repository, developer),
      expected.filter(({ developerId }) => developerId === developer),
    );
}

/** Adds keys one after the other. */
export async function addKeys(repository: ApiKeyRepository, ...keys: readonly ApiKey[]): Promise<void> {
  for (const key of keys) await repository.add({ key, entries: [] });
  await assertKept(repository, ...keys);
}

/** That it was rejected with a `DomainError` of kind `conflict`, and with this code if one is named. */
export async function assertConflict(attempt: Promise<unknown>, code?: string): Promise<void> {
  await assert.rejects(attempt, (error) => isConflict(error) && (code === undefined || error.code === code));
}

function isConflict(error: unknown): error is DomainError {
  return error instanceof DomainError && error.kind === 'conflict';
}

/** That one of these was done and the others are conflicts. */
export async function assertOneWins(attempts: readonly Promise<unknown>[]): Promise<void> {
  const settled = await Promise.allSettled(attempts);
  assert.equal(settled.filter(({ status }) => status === 'fulfilled').length, 1);
  for (const one of settled) assert.ok(one.status === 'fulfilled' || isConflict(one.reason), 'rejected as a conflict');
}
