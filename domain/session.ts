import type { DeveloperId } from './access.js';

/** A developer who is signed in, in one browser. The token is the browser's alone. */
export interface Session {
  /** SHA-256 of the token, in hexadecimal. */
  readonly hash: string;
  readonly developerId: DeveloperId;
  readonly createdAt: Date;
  /** When it ends unless it is used before. */
  readonly until: Date;
}

const IDLE = 12 * 60 * 60 * 1000;
const RENEWED_EVERY = 60 * 1000;
const TOKEN = /^[A-Za-z0-9_-]{32}$/;

/** How many random bytes make the token of a session or of an invitation: 192 bits, written as 32 characters of base64url (RFC 4648). */
export const TOKEN_BYTES = 24;

/** Whether a text can be a token at all. */
export function isTokenText(text: string): boolean {
  return TOKEN.test(text);
}

/** Until when a session lasts that was used last at this time. */
export function idleUntil(usedAt: Date): Date {
  return new Date(usedAt.getTime() + IDLE);
}

/** At its very `until` a session is over. */
export function isOpen(session: Session, at: Date): boolean {
  return at < session.until;
}

/** Whether it is a minute or more since the session was renewed, so that not every use is written down. */
export function isDueForRenewal(session: Session, at: Date): boolean {
  return idleUntil(at).getTime() - session.until.getTime() >= RENEWED_EVERY;
}
