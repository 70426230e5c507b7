import type { DeveloperId } from '../../domain/access.js';
import { canAccept, signInKey, signInNameTaken, type Invitation } from '../../domain/developer.js';
import type { Activation } from '../../domain/ports.js';
import type { Connection } from './connection.js';
import { developerReads } from './developer-reads.js';

/** The writes of developers. */
export function developerWrites(connection: Connection) {
  const { findByInvitation, findBySignInName } = developerReads(connection);
  const invite = connection.prepare(
    `INSERT INTO developers (id, invited_at, invitation_hash, invitation_until) VALUES (?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET invitation_hash = excluded.invitation_hash,
       invitation_until = excluded.invitation_until`,
  );
  const activate = connection.prepare(
    `UPDATE developers SET sign_in_name = ?, sign_in_key = ?, password_hash = ?,
       active_since = coalesce(active_since, ?), invitation_hash = NULL, invitation_until = NULL
     WHERE id = ?`,
  );
  const suspend = connection.prepare('UPDATE developers SET suspended_at = coalesce(suspended_at, ?) WHERE id = ?');
  const restore = connection.prepare('UPDATE developers SET suspended_at = NULL WHERE id = ?');
  return {
    inviteDeveloper(id: DeveloperId, { hash, until }: Invitation, at: Date): void {
      invite.run([id, at.getTime(), hash, until.getTime()]);
    },
    activateDeveloper(invitationHash: string, { signInName, passwordHash, at }: Activation): boolean {
      const developer = findByInvitation(invitationHash);
      if (developer === undefined || !canAccept(developer, at)) return false;
      const holder = findBySignInName(signInName);
      if (holder !== undefined && holder.id !== developer.id) throw signInNameTaken();
      activate.run([signInName, signInKey(signInName), passwordHash, at.getTime(), developer.id]);
      return true;
    },
    suspendDeveloper: (id: DeveloperId, at: Date): boolean => suspend.run([at.getTime(), id]).changes > 0,
    restoreDeveloper: (id: DeveloperId): boolean => restore.run([id]).changes > 0,
  };
}
