import type { DeveloperId } from '../access.js';
import type { Session } from '../session.js';
import type { Audited } from './audited.js';

/** The sessions of the panel, by the SHA-256 of their token. `DeveloperRepository` starts them. */
export interface SessionRepository {
  /** Returns the session with this hash, field for field, expired ones included; undefined when there is none. */
  findByHash(hash: string): Promise<Session | undefined>;

  /** Returns every session of a developer, field for field, expired ones included, the latest `createdAt` first. */
  list(developerId: DeveloperId): Promise<readonly Session[]>;

  /** Extends a session until this time; an earlier time than the stored one and an unknown hash change nothing. */
  renew(hash: string, until: Date): Promise<void>;

  /** Ends the session with this hash and returns whether there was one. When raced, one call returns true. */
  end(ending: Audited & { readonly hash: string }): Promise<boolean>;

  /** Ends every session of a developer, and returns how many. */
  endAll(ending: Audited & { readonly developerId: DeveloperId }): Promise<number>;

  /** Ends every session whose `until` is not after this time, and returns how many. */
  endExpired(asOf: Date): Promise<number>;
}
