import type { DeveloperId } from '../../domain/access.js';
import { canAccept, signInKey, signInNameTaken, type Developer, type Invitation } from '../../domain/developer.js';
import type { Activation, DeveloperRepository } from '../../domain/ports.js';
import type { SqliteDatabase } from './database.js';

interface DeveloperRow {
  id: DeveloperId;
  invited_at: number;
  invitation_hash: string | null;
  invitation_until: number | null;
  sign_in_name: string | null;
  password_hash: string | null;
  active_since: number | null;
  suspended_at: number | null;
}

/** Developers in SQLite. */
export class SqliteDeveloperRepository implements DeveloperRepository {
  readonly #statements;

  /** Uses an open database and does not close it. */
  constructor(private readonly database: SqliteDatabase) {
    this.#statements = prepare(database);
  }

  async find(id: DeveloperId): Promise<Developer | undefined> {
    return developerIn(await this.database.readOne(() => this.#statements.find.get(id)));
  }

  async findBySignInName(name: string): Promise<Developer | undefined> {
    return developerIn(await this.database.readOne(() => this.#statements.findBySignInKey.get(signInKey(name))));
  }

  async findByInvitation(hash: string): Promise<Developer | undefined> {
    return developerIn(await this.database.readOne(() => this.#statements.findByInvitation.get(hash)));
  }

  async list(): Promise<readonly Developer[]> {
    const rows = await this.database.readOne(() => this.#statements.list.all());
    return (rows as DeveloperRow[]).map(developerOf);
  }

  async invite(id: DeveloperId, { hash, until }: Invitation, at: Date): Promise<void> {
    const values = [id, at.getTime(), hash, until.getTime()];
    await this.database.write(() => this.#statements.invite.run(values));
  }

  activate(invitationHash: string, { signInName, passwordHash, at }: Activation): Promise<boolean> {
    return this.database.write(() => {
      const developer = developerIn(this.#statements.findByInvitation.get(invitationHash));
      if (developer === undefined || !canAccept(developer, at)) return false;
      const holder = developerIn(this.#statements.findBySignInKey.get(signInKey(signInName)));
      if (holder !== undefined && holder.id !== developer.id) throw signInNameTaken();
      this.#statements.activate.run(signInName, signInKey(signInName), passwordHash, at.getTime(), developer.id);
      return true;
    });
  }

  suspend(id: DeveloperId, at: Date): Promise<boolean> {
    return this.database.write(() => this.#statements.suspend.run(at.getTime(), id).changes > 0);
  }

  restore(id: DeveloperId): Promise<boolean> {
    return this.database.write(() => this.#statements.restore.run(id).changes > 0);
  }
}

function prepare(database: SqliteDatabase) {
  return {
    find: database.prepare('SELECT * FROM developers WHERE id = ?'),
    findBySignInKey: database.prepare('SELECT * FROM developers WHERE sign_in_key = ?'),
    findByInvitation: database.prepare('SELECT * FROM developers WHERE invitation_hash = ?'),
    list: database.prepare('SELECT * FROM developers ORDER BY position'),
    invite: database.prepare(
      `INSERT INTO developers (id, invited_at, invitation_hash, invitation_until) VALUES (?, ?, ?, ?)
       ON CONFLICT (id) DO UPDATE SET invitation_hash = excluded.invitation_hash,
         invitation_until = excluded.invitation_until`,
    ),
    activate: database.prepare(
      `UPDATE developers SET sign_in_name = ?, sign_in_key = ?, password_hash = ?,
         active_since = coalesce(active_since, ?), invitation_hash = NULL, invitation_until = NULL
       WHERE id = ?`,
    ),
    suspend: database.prepare('UPDATE developers SET suspended_at = coalesce(suspended_at, ?) WHERE id = ?'),
    restore: database.prepare('UPDATE developers SET suspended_at = NULL WHERE id = ?'),
  };
}

function developerIn(row: unknown): Developer | undefined {
  return row === undefined ? undefined : developerOf(row as DeveloperRow);
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
