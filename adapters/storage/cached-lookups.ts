import { LRUCache } from 'lru-cache';
import type { DeveloperId } from '../../domain/access.js';
import { copyOf, type ApiKey, type ApiKeyId } from '../../domain/api-key.js';
import { copyOfDeveloper } from '../../domain/developer.js';
import type { ApiKeyRepository, DeveloperRepository } from '../../domain/ports.js';

/** The lifetime of cached values. */
export interface CachingOptions {
  /** Seconds until the store is asked again, 0 or more; 5 by default, 0 asks every time. */
  readonly seconds?: number | undefined;
  /** The current time in milliseconds, from any start; for tests. */
  readonly clock?: (() => number) | undefined;
}

const MAX_ENTRIES = 10_000;

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
 * Returns the keys of one store. A key that was found by its hash is kept for 5 seconds, or as long as `seconds` says:
 * a change made through this repository is seen at once, a change made elsewhere after that time.
 * @throws RangeError for seconds that are not a finite number, 0 or more.
 */
export function cachedKeys(keys: ApiKeyRepository, options: CachingOptions = {}): ApiKeyRepository {
  const hashes = new LRUCache<ApiKeyId, string>({ max: MAX_ENTRIES });
  const found = new Lookups(async (hash) => {
    const key = await keys.findByHash(hash);
    if (key !== undefined) hashes.set(key.id, hash);
    return key;
  }, options);
  return forgettingOnWrites(keys, found, {
    async findByHash(hash) {
      const key = await found.find(hash);
      const copy = copyOf(key ?? NO_KEY);
      return key && copy;
    },
    async noteUse(id, at) {
      await keys.noteUse(id, at);
      found.forget(hashes.get(id) ?? '');
    },
  });
}

/**
 * Returns the developers of one store. A developer who was found by their id is kept in the same way: every request
 * asks for the role of its developer, and whether they are suspended.
 * @throws RangeError for seconds that are not a finite number, 0 or more.
 */
export function cachedDevelopers(developers: DeveloperRepository, options: CachingOptions = {}): DeveloperRepository {
  const found = new Lookups((id: DeveloperId) => developers.find(id), options);
  return forgettingOnWrites(developers, found, {
    async find(id) {
      const developer = await found.find(id);
      return developer && copyOfDeveloper(developer);
    },
  });
}

/** Keeps the answers of a store, also that it has none, each from the time when the store was asked. */
class Lookups<Name extends string, Value> {
  readonly #answers: LRUCache<Name, Promise<Value | undefined>> | undefined;

  constructor(
    private readonly lookUp: (name: Name) => Promise<Value | undefined>,
    { seconds = 5, clock }: CachingOptions,
  ) {
    if (!Number.isFinite(seconds) || seconds < 0)
      throw new RangeError('the seconds of a cache (keyCacheSeconds) must be a finite number, 0 or more');
    if (seconds === 0) return;
    this.#answers = new LRUCache({
      max: MAX_ENTRIES,
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

  /** Forgets everything, also what was asked before and is not answered yet. */
  forgetAll(): void {
    this.#answers?.clear();
  }
}

const READS = /^(?:find|list|count)/;

/** Returns the port with some methods replaced. The others forget everything when they have ended, unless they read. */
function forgettingOnWrites<Port extends object>(
  port: Port,
  found: Pick<Lookups<string, unknown>, 'forgetAll'>,
  replaced: Partial<Port>,
): Port {
  return new Proxy(port, {
    get(target, name) {
      if (name in replaced) return Reflect.get(replaced, name) as unknown;
      const method: unknown = Reflect.get(target, name);
      if (typeof method !== 'function') return method;
      return async (...values: readonly unknown[]): Promise<unknown> => {
        try {
          return await (Reflect.apply(method, target, values) as unknown);
        } finally {
          if (!READS.test(String(name))) found.forgetAll();
        }
      };
    },
  });
}
