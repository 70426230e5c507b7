import type { DeveloperId } from './access.js';
import { DomainError, type ReportViolation } from './errors.js';
import type { Profile } from './public-developer.js';
import type { Role } from './role.js';
import { checkText, nameKey, type TextRule } from './text.js';

/** A developer with an account, and their sign-in. */
export interface Developer extends Profile {
  readonly id: DeveloperId;
  readonly role: Role;
  /** When the account was added: by an invitation, a key, a public name, a token or the sign-in of a host. */
  readonly addedAt: Date;
  /** Undefined for a developer without a welcome link: one who has used it, or who was never invited. */
  readonly invitation?: Invitation;
  /** Chosen with the first invitation, and again with each later one. */
  readonly signInName?: string;
  readonly passwordHash?: string;
  readonly activeSince?: Date;
  readonly suspendedAt?: Date;
  /** Since when the password works also while passwords are off. */
  readonly emergencySince?: Date;
}

/** A welcome link that was not used yet. */
export interface Invitation {
  /** SHA-256 of the link's token, in hexadecimal. */
  readonly hash: string;
  readonly until: Date;
}

/** The state of a developer: without a sign-in and a welcome link, not yet activated, active, or suspended. */
export type DeveloperStatus = 'no-sign-in' | 'invited' | 'active' | 'suspended';

const SIGN_IN_NAME: TextRule = { maxLength: 100, multiline: false };

const INVITATION_LIFETIME = 24 * 60 * 60 * 1000;

export function statusOf({ suspendedAt, activeSince, invitation }: Developer): DeveloperStatus {
  if (suspendedAt !== undefined) return 'suspended';
  if (activeSince !== undefined) return 'active';
  return invitation === undefined ? 'no-sign-in' : 'invited';
}

/** Returns whether the developer is an operator who has signed in once and is not suspended. */
export function isActiveOperator(developer: Developer): boolean {
  return developer.role === 'operator' && statusOf(developer) === 'active';
}

export function newInvitation(hash: string, at: Date): Invitation {
  return Object.freeze({ hash, until: new Date(at.getTime() + INVITATION_LIFETIME) });
}

/** Returns whether the developer's invitation can be accepted at this time; at its very `until` it has expired. */
export function canAccept(developer: Developer, at: Date): boolean {
  return developer.invitation !== undefined && at < developer.invitation.until && developer.suspendedAt === undefined;
}

/** Returns the developer after they have used their invitation at this time. */
export function activated(
  { invitation: _used, ...developer }: Developer,
  { at, ...signIn }: Pick<Required<Developer>, 'signInName' | 'passwordHash'> & { readonly at: Date },
): Developer {
  return { activeSince: at, ...developer, ...signIn };
}

export function checkSignInName(value: unknown, report: ReportViolation): string {
  return checkText(value, SIGN_IN_NAME, report);
}

/** Returns a key that is equal for equal sign-in names: case and Unicode normal form do not count. */
export function signInKey(name: string): string {
  return nameKey(name);
}

/** Returns the error with which a `DeveloperRepository` rejects. */
export function signInNameTaken(): DomainError {
  const detail = 'is the name of another developer; choose another';
  return new DomainError('conflict', 'sign-in-name-taken', `this name ${detail}`, [
    { field: 'name', code: 'taken', detail },
  ]);
}

/**
 * The same developer, and no handle on the other. Written out, since each request copies one and a spread takes three
 * times as long.
 */
export function copyOfDeveloper(developer: Developer): Developer {
  const { id, role, addedAt, invitation, signInName, passwordHash, activeSince, suspendedAt } = developer;
  const { publicName, website, emergencySince } = developer;
  return Object.freeze({
    id,
    role,
    addedAt: new Date(addedAt),
    ...(invitation && { invitation: Object.freeze({ hash: invitation.hash, until: new Date(invitation.until) }) }),
    ...(signInName !== undefined && { signInName }),
    ...(passwordHash !== undefined && { passwordHash }),
    ...(publicName !== undefined && { publicName }),
    ...(website !== undefined && { website }),
    ...(activeSince && { activeSince: new Date(activeSince) }),
    ...(suspendedAt && { suspendedAt: new Date(suspendedAt) }),
    ...(emergencySince && { emergencySince: new Date(emergencySince) }),
  });
}
