import type { DeveloperId } from '../access.js';
import type { Session } from '../session.js';

/** The sessions of the panel, by the SHA-256 of their token. */
export interface SessionRepository {
  /**
   * Stores a session, and ends the oldest others of its developer, by `createdAt`, so that there are at most
   * `MAX_SESSIONS`, also when raced. Rejects with a `DomainError` of kind `conflict`, and ends
   * none, when its hash is taken, also when raced.
   */
  add(session: Session): Promise<void>;

  /** Returns the session with this hash, field for field, expired ones included; undefined when there is none. */
  findByHash(hash: string): Promise<Session | undefined>;

  /** Returns every session of a developer, field for field, expired ones included, the latest `createdAt` first. */
  list(developerId: DeveloperId): Promise<readonly Session[]>;

  /** Extends a session until this time; an earlier time than the stored one and an unknown hash change nothing. */
  renew(hash: string, until: Date): Promise<void>;

  /** Ends the session with this hash and returns whether there was one. When raced, one call returns true. */
  end(hash: string): Promise<boolean>;

  /** Ends every session of a developer, but not the one with the hash `except`, and returns how many. */
  endAll(developerId: DeveloperId, except?: string): Promise<number>;

  /** Ends every session whose `until` is not after this time, and returns how many. */
  endExpired(asOf: Date): Promise<number>;
}
