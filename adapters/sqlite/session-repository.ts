import type { DeveloperId } from '../../domain/access.js';
import { DomainError } from '../../domain/errors.js';
import type { SessionRepository } from '../../domain/ports.js';
import type { Session } from '../../domain/session.js';
import type { SqliteDatabase } from './database.js';

interface SessionRow {
  hash: string;
  developer_id: DeveloperId;
  created_at: number;
  until: number;
}

/** Sessions ended in one transaction, so that each stays short. */
const SWEEP = 500;

/** Sessions in SQLite, by their hashes. */
export class SqliteSessionRepository implements SessionRepository {
  readonly #statements;

  /** Uses an open database and does not close it. */
  constructor(private readonly database: SqliteDatabase) {
    this.#statements = prepare(database);
  }

  async add({ hash, developerId, createdAt, until }: Session): Promise<void> {
    const values = [hash, developerId, createdAt.getTime(), until.getTime()];
    const { changes } = await this.database.write(() => this.#statements.insert.run(values));
    if (changes === 0) throw new DomainError('conflict', 'duplicate-session', 'a session has this hash already');
  }

  async findByHash(hash: string): Promise<Session | undefined> {
    const row = await this.database.readOne(() => this.#statements.find.get(hash) as SessionRow | undefined);
    return row && sessionOf(row);
  }

  async renew(hash: string, until: Date): Promise<void> {
    const time = until.getTime();
    await this.database.write(() => this.#statements.renew.run(time, hash, time));
  }

  end(hash: string): Promise<boolean> {
    return this.database.write(() => this.#statements.end.run(hash).changes > 0);
  }

  endAll(developerId: DeveloperId): Promise<number> {
    return this.database.write(() => this.#statements.endAll.run(developerId).changes);
  }

  async endExpired(asOf: Date): Promise<number> {
    let ended = 0;
    for (let some = SWEEP; some === SWEEP; ended += some)
      some = await this.database.write(() => this.#statements.endExpired.run(asOf.getTime(), SWEEP).changes);
    return ended;
  }
}

function prepare(database: SqliteDatabase) {
  return {
    insert: database.prepare('INSERT INTO sessions VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING'),
    find: database.prepare('SELECT * FROM sessions WHERE hash = ?'),
    renew: database.prepare('UPDATE sessions SET until = ? WHERE hash = ? AND until < ?'),
    end: database.prepare('DELETE FROM sessions WHERE hash = ?'),
    endAll: database.prepare('DELETE FROM sessions WHERE developer_id = ?'),
    endExpired: database.prepare(
      'DELETE FROM sessions WHERE hash IN (SELECT hash FROM sessions WHERE until <= ? LIMIT ?)',
    ),
  };
}

function sessionOf(row: SessionRow): Session {
  return {
    hash: row.hash,
    developerId: row.developer_id,
    createdAt: new Date(row.created_at),
    until: new Date(row.until),
  };
}
