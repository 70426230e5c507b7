import type { DeveloperId } from '../access.js';
import type { ApiKey, ApiKeyId } from '../api-key.js';

/** The API keys, without their text. */
export interface ApiKeyRepository {
  /**
   * Stores a key. Rejects with a `DomainError` of kind `conflict` when its id or its hash is taken, also when raced.
   */
  add(key: ApiKey): Promise<void>;

  /** Returns the key, field for field as it was added; undefined when there is none. */
  find(id: ApiKeyId): Promise<ApiKey | undefined>;

  /** Returns the key with this hash, expired and revoked ones included; undefined when there is none. */
  findByHash(hash: string): Promise<ApiKey | undefined>;

  /** Returns the keys of one developer, or of all, in the order in which they were added. */
  list(developerId?: DeveloperId): Promise<readonly ApiKey[]>;

  /**
   * Stores the successor and lets the key with this id expire at `until`, unless it expires sooner: both or neither.
   * Returns false, and stores nothing, when there is no such key or it is revoked. Rejects as `add` does.
   */
  replace(id: ApiKeyId, successor: ApiKey, until: Date): Promise<boolean>;

  /**
   * Stores the time of the revocation and returns true; returns false when there is no such key. The first revocation
   * counts.
   */
  revoke(id: ApiKeyId, at: Date): Promise<boolean>;

  /** Stores the name and returns true; returns false when there is no such key. */
  rename(id: ApiKeyId, name: string): Promise<boolean>;

  /** Stores the time of a use; an earlier time than the stored one and an unknown id change nothing. */
  noteUse(id: ApiKeyId, at: Date): Promise<void>;
}
