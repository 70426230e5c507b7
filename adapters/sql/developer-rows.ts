import type { DeveloperId } from '../../domain/access.js';
import type { Developer } from '../../domain/developer.js';
import type { Role } from '../../domain/role.js';

/** The columns that a developer is made of. */
export interface DeveloperRow {
  readonly id: DeveloperId;
  readonly added_at: number;
  readonly invitation_hash: string | null;
  readonly invitation_until: number | null;
  readonly sign_in_name: string | null;
  readonly password_hash: string | null;
  readonly active_since: number | null;
  readonly suspended_at: number | null;
  readonly role: Role;
  readonly public_name: string | null;
  readonly website: string | null;
}

export const COLUMNS = `id, added_at, invitation_hash, invitation_until, sign_in_name, password_hash, active_since,
  suspended_at, role, public_name, website`;

export function developerOf(row: DeveloperRow): Developer {
  const { invitation_hash: hash, invitation_until: until } = row;
  return {
    id: row.id,
    role: row.role,
    addedAt: new Date(row.added_at),
    ...(hash !== null && until !== null && { invitation: { hash, until: new Date(until) } }),
    ...(row.sign_in_name !== null && { signInName: row.sign_in_name }),
    ...(row.password_hash !== null && { passwordHash: row.password_hash }),
    ...(row.active_since !== null && { activeSince: new Date(row.active_since) }),
    ...(row.suspended_at !== null && { suspendedAt: new Date(row.suspended_at) }),
    ...(row.public_name !== null && { publicName: row.public_name }),
    ...(row.website !== null && { website: row.website }),
  };
}
