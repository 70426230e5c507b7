import type { DeveloperId } from './access.js';
import { DomainError } from './errors.js';

/** A developer's sign-in in one browser. Only the browser has the token. */
export interface Session {
  /** SHA-256 of the token, in hexadecimal. */
  readonly hash: string;
  readonly developerId: DeveloperId;
  readonly createdAt: Date;
  /** The end of the session unless it is used before. */
  readonly until: Date;
  /** The IP address of the sign-in. */
  readonly address?: string;
  /** That of an issuer, or empty: use does not extend it. */
  readonly sid?: string;
}

/** A session that a developer starts. */
export type NewSession = Omit<Session, 'developerId'>;

const MINUTE_MS = 60 * 1000;
const MAX_IDLE_MS = 12 * 60 * MINUTE_MS;
const MAX_AGE_MS = 7 * 24 * 60 * MINUTE_MS;
/** A developer has no more sessions than this. */
export const MAX_SESSIONS = 50;
const TOKEN = /^[A-Za-z0-9_-]{32}$/;

/**
 * The random bytes of the token of a session or an invitation: 192 bits, written as 32 characters of base64url (RFC
 * 4648).
 */
export const TOKEN_BYTES = 24;

/** Returns whether a text has the form of a token. */
export function isTokenText(text: string): boolean {
  return TOKEN.test(text);
}

/** Returns the end of a session that was used at this time: 12 hours later, at most 7 days after the sign-in. */
export function untilAfterUse({ createdAt }: Pick<Session, 'createdAt'>, usedAt: Date): Date {
  return new Date(Math.min(usedAt.getTime() + MAX_IDLE_MS, createdAt.getTime() + MAX_AGE_MS));
}

/** Returns whether a session is open; at its very `until`, and 7 days after the sign-in, it is not. */
export function isOpen(session: Session, at: Date): boolean {
  return at < session.until && at.getTime() < session.createdAt.getTime() + MAX_AGE_MS;
}

/** Returns the error of a session whose hash is taken. */
export function duplicateSession(): DomainError {
  return new DomainError('conflict', 'duplicate-session', 'a session has this hash already');
}

/** Returns whether use would extend a session by a minute or more; less is not stored. */
export function isDueForRenewal(session: Session, at: Date): boolean {
  return session.sid === undefined && untilAfterUse(session, at).getTime() - session.until.getTime() >= MINUTE_MS;
}
