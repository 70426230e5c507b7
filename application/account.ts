import { statusOf, type Developer, type DeveloperStatus } from '../domain/developer.js';
import type { Identity } from '../domain/identity.js';

/** A developer as others may see them: nothing by which one could sign in. */
export interface Account extends Omit<Developer, 'invitation' | 'passwordHash'> {
  readonly status: DeveloperStatus;
  /** The time until which the latest welcome link works; undefined when it was used. */
  readonly invitedUntil?: Date;
  /** What the person is to issuers and hosts; for the operator alone. Undefined for one without any. */
  readonly identities?: readonly Identity[];
}

export function accountOf(developer: Developer): Account {
  const { id, role, signInName, addedAt, invitation, activeSince, suspendedAt, publicName, website } = developer;
  const { emergencySince } = developer;
  return {
    id,
    role,
    status: statusOf(developer),
    ...(signInName !== undefined && { signInName }),
    addedAt,
    ...(invitation && { invitedUntil: invitation.until }),
    ...(activeSince && { activeSince }),
    ...(suspendedAt && { suspendedAt }),
    ...(emergencySince && { emergencySince }),
    ...(publicName !== undefined && { publicName }),
    ...(website !== undefined && { website }),
  };
}
