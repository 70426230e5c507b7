import type { DeveloperId } from '../../domain/access.js';
import { canAccept, signInKey, signInNameTaken, type Developer, type Invitation } from '../../domain/developer.js';
import type { Activation, DeveloperRepository } from '../../domain/ports.js';
import { prepareRows, type Connection, type Preparer } from './connection.js';
import type { SqliteDatabase } from './database.js';

interface DeveloperRow {
  readonly id: DeveloperId;
  readonly invited_at: number;
  readonly invitation_hash: string | null;
  readonly invitation_until: number | null;
  readonly sign_in_name: string | null;
  readonly password_hash: string | null;
  readonly active_since: number | null;
  readonly suspended_at: number | null;
}

/** Developers in SQLite. */
export class SqliteDeveloperRepository implements DeveloperRepository {
  readonly #reads;

  /** Uses an open database and does not close it. */
  constructor(private readonly database: SqliteDatabase) {
    this.#reads = prepareReads(database);
  }

  find(id: DeveloperId): Promise<Developer | undefined> {
    return this.database.readOne(() => this.#reads.find(id));
  }

  findBySignInName(name: string): Promise<Developer | undefined> {
    return this.database.readOne(() => this.#reads.findBySignInName(name));
  }

  findByInvitation(hash: string): Promise<Developer | undefined> {
    return this.database.readOne(() => this.#reads.findByInvitation(hash));
  }

  list(): Promise<readonly Developer[]> {
    return this.database.readOne(() => this.#reads.list());
  }

  invite(id: DeveloperId, invitation: Invitation, at: Date): Promise<void> {
    return this.database.write('inviteDeveloper', id, invitation, at);
  }

  activate(invitationHash: string, activation: Activation): Promise<boolean> {
    return this.database.write('activateDeveloper', invitationHash, activation);
  }

  suspend(id: DeveloperId, at: Date): Promise<boolean> {
    return this.database.write('suspendDeveloper', id, at);
  }

  restore(id: DeveloperId): Promise<boolean> {
    return this.database.write('restoreDeveloper', id);
  }
}

const COLUMNS = [
  'id',
  'invited_at',
  'invitation_hash',
  'invitation_until',
  'sign_in_name',
  'password_hash',
  'active_since',
  'suspended_at',
] as const satisfies readonly (keyof DeveloperRow)[];

function prepareReads(preparer: Preparer) {
  const rows = (rest: string) => prepareRows<DeveloperRow>(preparer, COLUMNS, `FROM developers ${rest}`);
  const byId = rows('WHERE id = ?');
  const bySignInKey = rows('WHERE sign_in_key = ?');
  const byInvitation = rows('WHERE invitation_hash = ?');
  const all = rows('ORDER BY position');
  return {
    find: (id: DeveloperId) => byId(id).map(developerOf)[0],
    findBySignInName: (name: string) => bySignInKey(signInKey(name)).map(developerOf)[0],
    findByInvitation: (hash: string) => byInvitation(hash).map(developerOf)[0],
    list: () => all().map(developerOf),
  };
}

/** The writes of developers. */
export function developerWrites(connection: Connection) {
  const { findByInvitation, findBySignInName } = prepareReads(connection);
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

function developerOf(row: DeveloperRow): Developer {
  const { invitation_hash: hash, invitation_until: until } = row;
  return {
    id: row.id,
    invitedAt: new Date(row.invited_at),
    ...(hash !== null && until !== null && { invitation: { hash, until: new Date(until) } }),
    ...(row.sign_in_name !== null && { signInName: row.sign_in_name }),
    ...(row.password_hash !== null && { passwordHash: row.password_hash }),
    ...(row.active_since !== null && { activeSince: new Date(row.active_since) }),
    ...(row.suspended_at !== null && { suspendedAt: new Date(row.suspended_at) }),
  };
}
