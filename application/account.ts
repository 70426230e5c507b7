import type { DeveloperId } from '../domain/access.js';
import { statusOf, type Developer, type DeveloperStatus } from '../domain/developer.js';
import type { Identity } from '../domain/identity.js';
import type { Role } from '../domain/role.js';

/** A developer as others may see them: nothing by which one could sign in. */
export interface Account {
  readonly id: DeveloperId;
  readonly role: Role;
  readonly status: DeveloperStatus;
  readonly signInName?: string;
  /** When the account was added: by an invitation, a key, a public name, a token or the sign-in of a host. */
  readonly addedAt: Date;
  /** The time until which the latest welcome link works; undefined when it was used. */
  readonly invitedUntil?: Date;
  readonly activeSince?: Date;
  readonly suspendedAt?: Date;
  readonly publicName?: string;
  readonly website?: string;
  /** What the person is to issuers and hosts; for the operator alone. Undefined for one without any. */
  readonly identities?: readonly Identity[];
}

export function accountOf(developer: Developer): Account {
  const { id, role, signInName, addedAt, invitation, activeSince, suspendedAt, publicName, website } = developer;
  return {
    id,
    role,
    status: statusOf(developer),
    ...(signInName !== undefined && { signInName }),
    addedAt,
    ...(invitation && { invitedUntil: invitation.until }),
    ...(activeSince && { activeSince }),
    ...(suspendedAt && { suspendedAt }),
    ...(publicName !== undefined && { publicName }),
    ...(website !== undefined && { website }),
  };
}
