import type { DeveloperId } from '../../domain/access.js';
import { canAccept, signInKey, signInNameTaken, type Developer, type Invitation } from '../../domain/developer.js';
import type { Activation, SignIn } from '../../domain/ports.js';
import type { Profile } from '../../domain/public-developer.js';
import { developerIdKey, publicNameKeys, publicNameTaken, type PublicNameKeys } from '../../domain/public-name.js';
import { DEFAULT_ROLE, type Role } from '../../domain/role.js';
import { prepareRows, type Connection } from './connection.js';
import { developerReads } from './developer-reads.js';

/** The writes of developers. */
export function developerWrites(connection: Connection) {
  const { find, findByInvitation, findBySignInName } = developerReads(connection);
  const invite = connection.prepare(
    `INSERT INTO developers (id, id_skeleton, invited_at, invitation_hash, invitation_until, role)
     VALUES (?, ?, ?, ?, ?, coalesce(?, '${DEFAULT_ROLE}'))
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
    `UPDATE developers SET public_name = ?, public_name_folded = ?, public_name_skeleton = ?, website = ?
     WHERE id = ?`,
  );
  const findShownAlike = prepareRows<{ readonly id: DeveloperId }>(
    connection,
    ['id'],
    'FROM developers WHERE (public_name_folded = ? OR public_name_skeleton = ? OR id_skeleton = ?) AND id <> ? LIMIT 1',
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

  function refuseShownAlike({ folded, skeleton }: PublicNameKeys, id: DeveloperId): void {
    if (findShownAlike(folded, skeleton, skeleton, id).length > 0) throw publicNameTaken();
  }

  /** Returns the developer as they were before the change. */
  function before(id: DeveloperId, change: () => unknown): Developer | undefined {
    const developer = find(id);
    change();
    return developer;
  }

  return {
    inviteDeveloper(id: DeveloperId, { hash, until }: Invitation, at: Date, role?: Role): void {
      invite.run([id, developerIdKey(id), at.getTime(), hash, until.getTime(), role ?? null, role ?? null]);
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
      const developer = find(id);
      if (developer === undefined) return false;
      const keys = publicName === undefined ? undefined : publicNameKeys(publicName);
      if (keys !== undefined && publicName !== developer.publicName) refuseShownAlike(keys, id);
      setProfile.run([publicName ?? null, keys?.folded ?? null, keys?.skeleton ?? null, website ?? null, id]);
      return true;
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
