import type { DeveloperId } from '../domain/access.js';
import { copyOf, type ApiKey, type ApiKeyId } from '../domain/api-key.js';
import type { ApiKeyRepository } from '../domain/ports.js';
import { remember } from '../domain/remember.js';
import { Lookups, type CachingOptions } from './lookups.js';

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
  readonly #lookups: Lookups<ApiKey>;
  readonly #hashes = new Map<ApiKeyId, string>();

  /** Around the keys of one store. */
  constructor(
    private readonly inner: ApiKeyRepository,
    options: CachingOptions = {},
  ) {
    this.#lookups = new Lookups(options);
  }

  async findByHash(hash: string): Promise<ApiKey | undefined> {
    return told(await this.#lookups.find(hash, () => this.#ask(hash)));
  }

  add(key: ApiKey): Promise<void> {
    return this.#lookups.forgettingAll(this.inner.add(key));
  }

  find(id: ApiKeyId): Promise<ApiKey | undefined> {
    return this.inner.find(id);
  }

  list(developerId?: DeveloperId): Promise<readonly ApiKey[]> {
    return this.inner.list(developerId);
  }

  replace(id: ApiKeyId, successor: ApiKey, until: Date): Promise<boolean> {
    return this.#lookups.forgettingAll(this.inner.replace(id, successor, until));
  }

  revoke(id: ApiKeyId, at: Date): Promise<boolean> {
    return this.#lookups.forgettingAll(this.inner.revoke(id, at));
  }

  async noteUse(id: ApiKeyId, at: Date): Promise<void> {
    this.#lookups.update(this.#hashes.get(id) ?? '', (key) =>
      key.lastUsedAt && at < key.lastUsedAt ? key : copyOf({ ...key, lastUsedAt: at }),
    );
    await this.inner.noteUse(id, at);
  }

  async #ask(hash: string): Promise<ApiKey | undefined> {
    const key = await this.inner.findByHash(hash);
    remember(this.#hashes, (key ?? NOBODY).id, hash);
    return key;
  }
}

/** Takes as long to say that there is no key as to say which one there is. */
function told(key: ApiKey | undefined): ApiKey | undefined {
  const copy = copyOf(key ?? NOBODY);
  return key && copy;
}
