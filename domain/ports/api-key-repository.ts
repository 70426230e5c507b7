import type { DeveloperId } from '../access.js';
import type { ApiKey, ApiKeyId } from '../api-key.js';
import type { Audited } from './audited.js';
import type { CursorQuery } from './cursor-query.js';

/** A part of the keys, of all developers or of one. */
export interface ApiKeyQuery extends CursorQuery<ApiKeyId> {
  /** Only the keys of this developer. */
  readonly developerId?: DeveloperId | undefined;
}

/** A part of the keys of one developer that have ended. */
export interface EndedKeyQuery extends CursorQuery<ApiKeyId> {
  readonly developerId: DeveloperId;
  readonly asOf: Date;
}

/** A new key. */
export interface KeyAddition extends Audited {
  readonly key: ApiKey;
  /** The most keys that the developer may have. Without it, there is no limit. */
  readonly max?: number | undefined;
}

/** A new key in place of another one. */
export interface KeyReplacement extends Audited {
  readonly successor: ApiKey;
  /** When the other key expires, unless it does so sooner. */
  readonly until: Date;
  /** As that of an addition. */
  readonly max?: number | undefined;
}

/** The API keys, without their text. */
export interface ApiKeyRepository {
  /**
   * Stores a key. Rejects with a `DomainError` of kind `conflict` when its id or its hash is taken, also when raced.
   * With `max`, rejects as `conflict`, code `too-many-keys`, and stores nothing, when the developer has that number of
   * keys which have not ended at the `createdAt` of the new one, also when raced, by whatever processes.
   */
  add(addition: KeyAddition): Promise<void>;

  /** Returns the key, field for field as it was added; undefined when there is none. */
  find(id: ApiKeyId): Promise<ApiKey | undefined>;

  /** Returns the key with this hash, expired and revoked ones included; undefined when there is none. */
  findByHash(hash: string): Promise<ApiKey | undefined>;

  /**
   * Returns keys of one developer, or of all, the latest added first; at most `limit` of them, and fewer only at the
   * end. With `before`, those that were added before this key; none when it is unknown.
   */
  list(query: ApiKeyQuery): Promise<readonly ApiKey[]>;

  /**
   * Returns the keys of a developer that have not ended at this time, in any order. A key ends when it is revoked or
   * when it expires, whichever is first; at that very time it has ended.
   */
  listActive(developerId: DeveloperId, at: Date): Promise<readonly ApiKey[]>;

  /** Returns how many keys `listActive` would return. */
  countActive(developerId: DeveloperId, at: Date): Promise<number>;

  /**
   * Returns keys of the developer that have ended at `asOf`, the latest end first, and of those that ended together the
   * latest added first; at most `limit` of them, and fewer only at the end. With `before`, those that come after this
   * key; none when it is unknown. Every part costs the same, whatever the number of keys.
   */
  listEnded(query: EndedKeyQuery): Promise<readonly ApiKey[]>;

  /** Returns how many keys of a developer have ended at this time. */
  countEnded(developerId: DeveloperId, asOf: Date): Promise<number>;

  /**
   * Stores the successor and lets the key with this id expire at `until`, unless it expires sooner: both or neither.
   * Returns false, and stores nothing, when there is no such key or it is revoked. Rejects as `add` does; the key with
   * this id counts unless it has ended by then.
   */
  replace(id: ApiKeyId, replacement: KeyReplacement): Promise<boolean>;

  /**
   * Stores the time of the revocation and returns true; returns false when there is no such key. The first revocation
   * counts: a later one changes nothing.
   */
  revoke(id: ApiKeyId, revocation: Audited & { readonly at: Date }): Promise<boolean>;

  /** Stores the name and returns true; returns false when there is no such key. */
  rename(id: ApiKeyId, renaming: Audited & { readonly name: string }): Promise<boolean>;

  /** Stores the time of a use; an earlier time than the stored one and an unknown id change nothing. */
  noteUse(id: ApiKeyId, at: Date): Promise<void>;

  /** Removes every key that has ended at this time, and returns how many. */
  removeEnded(asOf: Date): Promise<number>;
}
