import type { DeveloperId } from '../domain/access.js';
import { copyOf, type ApiKey, type ApiKeyId } from '../domain/api-key.js';
import type { ApiKeyRepository } from '../domain/ports.js';

export interface CachingOptions {
  /** How long a key is believed without asking the store; 0 asks every time. */
  readonly seconds?: number;
  /** In milliseconds, from any start; for tests. */
  readonly clock?: () => number;
}

const MOST_ENTRIES = 10_000;

/**
 * A repository around a repository that remembers the keys it found, for 5 seconds unless told otherwise. What ends a key through it ends it at once;
 * what ends it elsewhere is seen when the time is up.
 */
export class CachingApiKeyRepository implements ApiKeyRepository {
  readonly #found = new Map<string, { readonly key: ApiKey; readonly until: number }>();
  readonly #lifetime: number;
  readonly #clock: () => number;
  #generation = 0;

  constructor(
    private readonly inner: ApiKeyRepository,
    options: CachingOptions = {},
  ) {
    this.#lifetime = (options.seconds ?? 5) * 1000;
    this.#clock = options.clock ?? (() => performance.now());
  }

  async findByHash(hash: string): Promise<ApiKey | undefined> {
    const found = this.#found.get(hash);
    if (found !== undefined && this.#clock() < found.until) return copyOf(found.key);
    const { generation, until } = { generation: this.#generation, until: this.#clock() + this.#lifetime };
    const key = await this.inner.findByHash(hash);
    if (key !== undefined && generation === this.#generation) this.#remember(copyOf(key), until);
    return key;
  }

  add(key: ApiKey): Promise<void> {
    return this.inner.add(key);
  }

  find(id: ApiKeyId): Promise<ApiKey | undefined> {
    return this.inner.find(id);
  }

  list(developerId?: DeveloperId): Promise<readonly ApiKey[]> {
    return this.inner.list(developerId);
  }

  replace(id: ApiKeyId, successor: ApiKey, until: Date): Promise<boolean> {
    return this.#forgettingAll(this.inner.replace(id, successor, until));
  }

  revoke(id: ApiKeyId, at: Date): Promise<boolean> {
    return this.#forgettingAll(this.inner.revoke(id, at));
  }

  async noteUse(id: ApiKeyId, at: Date): Promise<void> {
    for (const [hash, { key, until }] of this.#found)
      if (key.id === id && !(key.lastUsedAt && at < key.lastUsedAt))
        this.#found.set(hash, { key: copyOf({ ...key, lastUsedAt: at }), until });
    await this.inner.noteUse(id, at);
  }

  #remember(key: ApiKey, until: number): void {
    if (this.#lifetime === 0) return;
    this.#found.delete(key.hash);
    for (const oldest of this.#found.keys()) {
      if (this.#found.size < MOST_ENTRIES) break;
      this.#found.delete(oldest);
    }
    this.#found.set(key.hash, { key, until });
  }

  /** Also what is being looked up meanwhile is not remembered: it may be what was so before. */
  async #forgettingAll<Answer>(change: Promise<Answer>): Promise<Answer> {
    try {
      return await change;
    } finally {
      this.#generation += 1;
      this.#found.clear();
    }
  }
}
