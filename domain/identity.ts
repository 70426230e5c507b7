import type { DeveloperId } from './access.js';
import { Violations } from './errors.js';
import { checkText, type TextRule } from './text.js';

/**
 * What a person is to an issuer of tokens, or to a host with users of its own: the issuer's address (`iss`) or the
 * host's name, and the subject by which it knows them. Both are compared as they are, letter by letter.
 */
export interface Identity {
  readonly issuer: string;
  readonly subject: string;
}

/** An identity, and who has it. A developer may have several. */
export interface DeveloperIdentity extends Identity {
  readonly developerId: DeveloperId;
}

/** The limit of a subject in OpenID Connect (Core 1.0, section 2); an issuer has the same. */
const IDENTITY_TEXT: TextRule = { maxLength: 255, multiline: false };

export const IDENTITY_TEXT_RULE = 'a text of 1 to 255 printable characters, without blanks at its ends';

/** Returns a text that no other identity has, as a key of a map. */
export function identityKey({ issuer, subject }: Identity): string {
  return JSON.stringify([issuer, subject]);
}

/** Returns whether a text can be an issuer or a subject: it can be shown and stored unchanged. */
export function isIdentityText(text: unknown): text is string {
  const violations = new Violations();
  const checked = checkText(text, IDENTITY_TEXT, violations.field('text'));
  return violations.fields.length === 0 && checked === text;
}
