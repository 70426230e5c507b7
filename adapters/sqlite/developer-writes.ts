import type { DeveloperId } from '../../domain/access.js';
import { canAccept, signInKey, signInNameTaken, type Developer, type Invitation } from '../../domain/developer.js';
import type { Activation, SignIn } from '../../domain/ports.js';
import { publicNameKey, publicNameTaken, type Profile } from '../../domain/public-developer.js';
import { DEFAULT_ROLE, type Role } from '../../domain/role.js';
import type { Connection } from './connection.js';
import { developerReads } from './developer-reads.js';

/** The writes of developers. */
export function developerWrites(connection: Connection) {
  const { find, findByInvitation, findByPublicName, findBySignInName } = developerReads(connection);
  const invite = connection.prepare(
    `INSERT INTO developers (id, invited_at, invitation_hash, invitation_until, role)
     VALUES (?, ?, ?, ?, coalesce(?, '${DEFAULT_ROLE}'))
     ON CONFLICT (id) DO UPDATE SET invitation_hash = excluded.invitation_hash,
       invitation_until = excluded.invitation_until, role = coalesce(?, role)`,
  );
  const activate = connection.prepare(
    `UPDATE developers SET sign_in_name = ?, sign_in_key = ?, password_hash = ?,
       active_since = coalesce(active_since, ?), invitation_hash = NULL, invitation_until = NULL
     WHERE id = ?`,
  );
  const setRole = connection.prepare('UPDATE developers SET role = ? WHERE id = ?');
  const setProfile = connection.prepare(
    'UPDATE developers SET public_name = ?, public_name_key = ?, website = ? WHERE id = ?',
  );
  const changeSignIn = connection.prepare(
    'UPDATE developers SET sign_in_name = ?, sign_in_key = ?, password_hash = ? WHERE id = ?',
  );
  const suspend = connection.prepare('UPDATE developers SET suspended_at = coalesce(suspended_at, ?) WHERE id = ?');
  const restore = connection.prepare('UPDATE developers SET suspended_at = NULL WHERE id = ?');

  function refuseTaken(signInName: string, id: DeveloperId): void {
    const holder = findBySignInName(signInName);
    if (holder !== undefined && holder.id !== id) throw signInNameTaken();
  }

  /** Returns the developer as they were before the change. */
  function before(id: DeveloperId, change: () => unknown): Developer | undefined {
    const developer = find(id);
    change();
    return developer;
  }

  return {
    inviteDeveloper(id: DeveloperId, { hash, until }: Invitation, at: Date, role?: Role): void {
      invite.run([id, at.getTime(), hash, until.getTime(), role ?? null, role ?? null]);
    },
    activateDeveloper(invitationHash: string, { signInName, passwordHash, at }: Activation): boolean {
      const developer = findByInvitation(invitationHash);
      if (developer === undefined || !canAccept(developer, at)) return false;
      refuseTaken(signInName, developer.id);
      activate.run([signInName, signInKey(signInName), passwordHash, at.getTime(), developer.id]);
      return true;
    },
    setDeveloperRole: (id: DeveloperId, role: Role) => before(id, () => setRole.run([role, id])),
    setDeveloperProfile(id: DeveloperId, { publicName, website }: Profile): boolean {
      const holder = publicName === undefined ? undefined : findByPublicName(publicName);
      if (holder !== undefined && holder.id !== id && find(id) !== undefined) throw publicNameTaken();
      const key = publicName === undefined ? null : publicNameKey(publicName);
      return setProfile.run([publicName ?? null, key, website ?? null, id]).changes > 0;
    },
    changeDeveloperSignIn(id: DeveloperId, current: string, { signInName, passwordHash }: SignIn): boolean {
      if (find(id)?.passwordHash !== current) return false;
      refuseTaken(signInName, id);
      changeSignIn.run([signInName, signInKey(signInName), passwordHash, id]);
      return true;
    },
    suspendDeveloper: (id: DeveloperId, at: Date) => before(id, () => suspend.run([at.getTime(), id])),
    restoreDeveloper: (id: DeveloperId) => before(id, () => restore.run([id])),
  };
}
