import type { DeveloperId } from '../domain/access.js';
import { copyOf, type ApiKey, type ApiKeyId } from '../domain/api-key.js';
import type { ApiKeyRepository } from '../domain/ports.js';

export interface CachingOptions {
  /** How long a key is believed without asking the store; 0 asks every time. */
  readonly seconds?: number;
  /** In milliseconds, from any start; for tests. */
  readonly clock?: () => number;
}

interface Looked {
  /** Undefined when there was none. */
  readonly key: ApiKey | undefined;
  readonly until: number;
}

const MOST_ENTRIES = 10_000;

/** Stands in for a key that there is not. */
const NOBODY: ApiKey = {
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
 * A repository around a repository that remembers which keys there are and which are not, for 5 seconds unless told otherwise, so that
 * neither takes longer to tell. What ends a key through it ends it at once; what ends it elsewhere is seen when the time is up.
 */
export class CachingApiKeyRepository implements ApiKeyRepository {
  readonly #looked = new Map<string, Looked>();
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
    const looked = this.#looked.get(hash);
    if (looked !== undefined && this.#clock() < looked.until) return told(looked.key);
    const { generation, until } = { generation: this.#generation, until: this.#clock() + this.#lifetime };
    const key = await this.inner.findByHash(hash);
    if (generation === this.#generation) this.#remember(hash, { key: key && copyOf(key), until });
    return key;
  }

  add(key: ApiKey): Promise<void> {
    return this.#forgettingAll(this.inner.add(key));
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
    for (const [hash, { key, until }] of this.#looked)
      if (key?.id === id && !(key.lastUsedAt && at < key.lastUsedAt))
        this.#looked.set(hash, { key: copyOf({ ...key, lastUsedAt: at }), until });
    await this.inner.noteUse(id, at);
  }

  #remember(hash: string, looked: Looked): void {
    if (this.#lifetime === 0) return;
    this.#looked.delete(hash);
    for (const oldest of this.#looked.keys()) {
      if (this.#looked.size < MOST_ENTRIES) break;
      this.#looked.delete(oldest);
    }
    this.#looked.set(hash, looked);
  }

  /** Also what is being looked up meanwhile is not remembered: it may be what was so before. */
  async #forgettingAll<Answer>(change: Promise<Answer>): Promise<Answer> {
    try {
      return await change;
    } finally {
      this.#generation += 1;
      this.#looked.clear();
    }
  }
}

/** Takes as long to say that there is no key as to say which one there is. */
function told(key: ApiKey | undefined): ApiKey | undefined {
  const copy = copyOf(key ?? NOBODY);
  return key && copy;
}
