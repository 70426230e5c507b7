import { LRUCache } from 'lru-cache';
import type { DeveloperId } from '../../domain/access.js';
import { copyOf, type ApiKey, type ApiKeyId } from '../../domain/api-key.js';
import { copyOfDeveloper } from '../../domain/developer.js';
import { identityKey, type Identity } from '../../domain/identity.js';
import { requireOptions, requireParts } from '../../domain/options.js';
import { READS } from '../../domain/ports/storage.js';
import type { ApiKeyRepository, DeveloperRepository, OAuthRecord, OAuthRecords, Storage } from '../../domain/ports.js';
import { copyOfRecord } from '../../domain/oauth-record.js';
import { decorated, type Around } from './decorated.js';

/** The lifetime of cached values. */
export interface CachingOptions {
  /** Seconds until the store is asked again, 0 or more; 5 by default, 0 asks every time. */
  readonly seconds?: number | undefined;
  /** The current time in milliseconds, from any start; for tests. */
  readonly clock?: (() => number) | undefined;
}

const OPTIONS = { seconds: true, clock: true } as const;

const MAX_ENTRIES = 10_000;

/** For each access token that is verified, the app and the connection are read. */
const CACHED_KINDS = ['app', 'connection'];
/** The records of a kind: with the longest content, they take 64 MiB. */
const MAX_RECORDS = 1_000;

/**
 * Copied for an unknown key, so that the time does not tell it from a revoked one (row A7: t = 5.3 without, 2.3 with).
 */
const NO_KEY: ApiKey = {
  id: '' as ApiKeyId,
  hash: '',
  prefix: '',
  developerId: '' as DeveloperId,
  name: '',
  scopes: [],
  createdAt: new Date(0),
  expiresAt: new Date(0),
};

/**
 * Returns the same storage with caches of keys, of developers, and of apps and their connections. The service puts
 * this around every storage; do not put it around a storage twice.
 * @throws RangeError for seconds that are not a finite number, 0 or more; TypeError for an unknown option.
 */
export function cachedStorage(storage: Storage, options: CachingOptions = {}): Storage {
  requireOptions('cachedStorage', options, OPTIONS);
  requireParts('cachedStorage', 'a storage', storage, ['keys', 'developers']);
  const { keys, developers, oauthRecords } = storage;
  return decorated(storage, {
    keys: cachedKeys(keys, options),
    developers: cachedDevelopers(developers, options),
    ...(oauthRecords && { oauthRecords: cachedRecords(oauthRecords, options) }),
  });
}

/**
 * Returns the keys of one store. A key that was found by its hash is kept for 5 seconds, or as long as `seconds` says:
 * a change made through this repository is seen at once, a change made elsewhere after that time.
 * @throws RangeError for seconds that are not a finite number, 0 or more; TypeError for an unknown option.
 */
export function cachedKeys(keys: ApiKeyRepository, options: CachingOptions = {}): ApiKeyRepository {
  requireOptions('cachedKeys', options, OPTIONS);
  requireParts('cachedKeys', 'keys', keys, ['findByHash', 'noteUse']);
  const hashes = new LRUCache<ApiKeyId, string>({ maxSize: MAX_ENTRIES, sizeCalculation: () => 1 });
  const found = new Lookups(async (hash) => {
    const key = await keys.findByHash(hash);
    if (key !== undefined) hashes.set(key.id, hash);
    return key;
  }, options);
  const findByHash: ApiKeyRepository['findByHash'] = async (hash) => {
    const key = await found.find(hash);
    const copy = copyOf(key ?? NO_KEY);
    return key && copy;
  };
  const noteUse: ApiKeyRepository['noteUse'] = async (id, at) => {
    await keys.noteUse(id, at);
    found.forget(hashes.get(id) ?? '');
  };
  return decorated(keys, { findByHash, noteUse }, clearedByWrites(READS.keys, found));
}

/**
 * Returns the developers of one store. A developer who was found by their id or by an identity is kept in the same way:
 * every request asks for the role of its developer, and whether they are suspended.
 * @throws RangeError for seconds that are not a finite number, 0 or more; TypeError for an unknown option.
 */
export function cachedDevelopers(developers: DeveloperRepository, options: CachingOptions = {}): DeveloperRepository {
  requireOptions('cachedDevelopers', options, OPTIONS);
  requireParts('cachedDevelopers', 'developers', developers, ['find', 'findByIdentity', 'identify']);
  const found = new Lookups((id: DeveloperId) => developers.find(id), options);
  const find: DeveloperRepository['find'] = async (id) => {
    const developer = await found.find(id);
    return developer && copyOfDeveloper(developer);
  };
  const identified = new Lookups((key) => developers.findByIdentity(identityOf(key)), options);
  const findByIdentity: DeveloperRepository['findByIdentity'] = async (identity) => {
    const developer = await identified.find(identityKey(identity));
    return developer && copyOfDeveloper(developer);
  };
  // It adds a developer or an identity, and changes no other developer.
  const identify: DeveloperRepository['identify'] = (identity, developer) =>
    developers.identify(identity, developer).finally(() => {
      identified.forget(identityKey(identity));
      found.forget(developer.id);
    });
  // A sign-in with a password changes no developer; one for whom an issuer vouches may become active.
  const signIn: DeveloperRepository['signIn'] = (id, started) =>
    developers.signIn(id, started).finally(() => {
      if (started.passwordHash === undefined) for (const each of [found, identified]) each.clear();
    });
  const members = { find, findByIdentity, identify, signIn };
  return decorated(developers, members, clearedByWrites(READS.developers, found, identified));
}

/** Returns the identity of an `identityKey`. */
function identityOf(key: string): Identity {
  const [issuer, subject] = JSON.parse(key) as [string, string];
  return { issuer, subject };
}

/**
 * Returns the records of one store. An app or a connection that was found is kept in the same way. A write of one
 * record forgets that one, a write of many all of them.
 */
function cachedRecords(records: OAuthRecords, options: CachingOptions): OAuthRecords {
  const found = new Map(
    CACHED_KINDS.map((kind) => [kind, new Lookups((id) => records.find(kind, id), options, MAX_RECORDS)]),
  );
  const find: OAuthRecords['find'] = async (kind, id) => {
    const ofKind = found.get(kind);
    if (ofKind === undefined) return records.find(kind, id);
    const record = await ofKind.find(id);
    return record && copyOfRecord(record);
  };
  const writing = <Result>({ kind, id }: Pick<OAuthRecord, 'kind' | 'id'>, write: Promise<Result>): Promise<Result> =>
    write.finally(() => found.get(kind)?.forget(id));
  return decorated(
    records,
    {
      find,
      upsert: (record) => writing(record, records.upsert(record)),
      add: (addition) => writing(addition.record, records.add(addition)),
      replace: (record, change) => writing(record, records.replace(record, change)),
      consume: (kind, id, at) => writing({ kind, id }, records.consume(kind, id, at)),
      destroy: (removal) => writing(removal, records.destroy(removal)),
    },
    clearedByWrites(READS.oauthRecords, ...found.values()),
  );
}

/** Keeps the answers of a store, also that it has none, each from the time when the store was asked. */
class Lookups<Name extends string, Value> {
  readonly #answers: LRUCache<Name, Promise<Value | undefined>> | undefined;

  constructor(
    private readonly lookUp: (name: Name) => Promise<Value | undefined>,
    { seconds = 5, clock }: CachingOptions,
    max = MAX_ENTRIES,
  ) {
    if (!Number.isFinite(seconds) || seconds < 0)
      throw new RangeError('the seconds of a cache (keyCacheSeconds) must be a finite number, 0 or more');
    if (seconds === 0) return;
    this.#answers = new LRUCache({
      maxSize: max,
      sizeCalculation: () => 1,
      ttl: seconds * 1000,
      ttlResolution: 0,
      ...(clock && { perf: { now: clock } }),
    });
  }

  /** Returns the kept answer, or asks the store. Calls that overlap share one question. */
  find(name: Name): Promise<Value | undefined> {
    const kept = this.#answers?.get(name);
    if (kept !== undefined) return kept;
    const answer = this.lookUp(name);
    this.#answers?.set(name, answer);
    answer.catch(() => {
      if (this.#answers?.peek(name) === answer) this.#answers.delete(name);
    });
    return answer;
  }

  forget(name: Name): void {
    this.#answers?.delete(name);
  }

  clear(): void {
    this.#answers?.clear();
  }
}

/** Forgets everything when a write has ended, also what was asked before and is not answered yet. */
function clearedByWrites(reads: readonly string[], ...all: readonly Pick<Lookups<string, unknown>, 'clear'>[]): Around {
  return async (name, run) => {
    try {
      return await run();
    } finally {
      if (!reads.includes(name)) for (const each of all) each.clear();
    }
  };
}
