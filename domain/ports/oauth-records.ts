import type { DeveloperId } from '../access.js';
import type { Audited } from './audited.js';
import type { CursorQuery } from './cursor-query.js';

/** A record of the authorization server, such as an app, a connection, a code or a token. */
export interface OAuthRecord {
  /** The name of the sort of record, such as `app`: 1 to 40 letters, digits and hyphens. Each has ids of its own. */
  readonly kind: string;
  /** 1 to 255 characters of visible ASCII; of a secret, its hash. */
  readonly id: string;
  /** JSON, at most 64 KiB. */
  readonly content: string;
  /** The developer to whom it belongs, or for whom it acts. */
  readonly developerId?: DeveloperId;
  /** The client to which it belongs: the id of an app, or the address of a metadata document. As an id, up to 500. */
  readonly clientId?: string;
  /** The consent on which it rests: what is revoked together. As an id. */
  readonly grantId?: string;
  /** A second id, of a session. As an id. */
  readonly uid?: string;
  /** The hash of the code that a person types. As an id. */
  readonly userCode?: string;
  /** From this time on it is of no use. Without it, it stays until it is destroyed. */
  readonly expiresAt?: Date;
  /** When it was used up; `consume` alone sets it. */
  readonly consumedAt?: Date;
}

/** A record that belongs to a developer. */
export type OwnedRecord = OAuthRecord & Required<Pick<OAuthRecord, 'developerId'>>;

/** A new record of a developer. */
export interface RecordAddition extends Audited {
  readonly record: OwnedRecord;
  /** The most records of its kind that the developer may have. */
  readonly max?: number | undefined;
}

/** Which record is removed. */
export type RecordRemoval = Audited & Pick<OAuthRecord, 'kind' | 'id'>;

/** A part of the records of one kind, of all developers or of one. */
export interface OAuthRecordQuery extends CursorQuery<string> {
  readonly kind: string;
  /** Only those of this developer. */
  readonly developerId?: DeveloperId | undefined;
}

/** The records of the authorization server. What is secret has been hashed before. */
export interface OAuthRecords {
  /**
   * Stores the record, in place of one with its kind and id. Whether and when that one was consumed stays; a
   * `consumedAt` of the record itself is not stored.
   */
  upsert(record: OAuthRecord): Promise<void>;

  /**
   * Stores the record as `upsert` does, and returns true. Returns false, and stores nothing, when its developer has
   * `max` records of its kind already, expired ones included, also when raced, by whatever processes.
   */
  add(addition: RecordAddition): Promise<boolean>;

  /**
   * Stores the record in place of one with its kind and id that has the content `from`, as `upsert` does, and returns
   * true. Returns false, and changes nothing, when there is no such record or it has another content. When raced with
   * another content, one call returns true.
   */
  replace(record: OAuthRecord, change: Audited & { readonly from: string }): Promise<boolean>;

  /** Returns the record, field for field, expired and consumed ones included; undefined when there is none. */
  find(kind: string, id: string): Promise<OAuthRecord | undefined>;

  /** Returns the record of this kind with this `uid`, expired ones included; undefined when there is none. */
  findByUid(kind: string, uid: string): Promise<OAuthRecord | undefined>;

  /** Returns the record of this kind with this `userCode`, expired ones included; undefined when there is none. */
  findByUserCode(kind: string, userCode: string): Promise<OAuthRecord | undefined>;

  /**
   * Returns records of a kind, of one developer or of all, in descending order of their ids; at most `limit` of them,
   * and fewer only at the end. With `before`, those whose id is lower, also when there is no such record. Every part
   * costs the same, whatever the number of records.
   */
  list(query: OAuthRecordQuery): Promise<readonly OAuthRecord[]>;

  /** Returns how many records of a kind a developer has, expired ones included. */
  count(kind: string, developerId: DeveloperId): Promise<number>;

  /**
   * Stores the time at which the record was used up, and returns true. Returns false, and changes nothing, when there
   * is no such record or it was consumed before. When raced, one call returns true.
   */
  consume(kind: string, id: string, at: Date): Promise<boolean>;

  /** Removes the record, and returns whether there was one. When raced, one call returns true. */
  destroy(removal: RecordRemoval): Promise<boolean>;

  /**
   * Removes every record, of any kind, with this `grantId`, and returns how many. It may do so in lots: others may see
   * some of them gone, and after a failure some may be left.
   */
  revokeByGrantId(grantId: string): Promise<number>;

  /**
   * Removes every record, of any kind, with this `clientId`, and returns how many, in lots like these. The entries of
   * the audit are stored with the first lot.
   */
  revokeByClientId(revocation: Audited & { readonly clientId: string }): Promise<number>;

  /** Removes every record whose `expiresAt` is not after this time, and returns how many. */
  removeExpired(asOf: Date): Promise<number>;
}
