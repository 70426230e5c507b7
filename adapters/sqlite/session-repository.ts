import type { DeveloperId } from '../../domain/access.js';
import { DomainError } from '../../domain/errors.js';
import type { SessionRepository } from '../../domain/ports.js';
import type { Session } from '../../domain/session.js';
import { prepareRows, type Connection } from './connection.js';
import type { SqliteDatabase } from './database.js';

interface SessionRow {
  readonly hash: string;
  readonly developer_id: DeveloperId;
  readonly created_at: number;
  readonly until: number;
}

/** Sessions ended in one transaction, so that each stays short. */
const SESSIONS_AT_ONCE = 500;

/** Sessions in SQLite, by their hashes. */
export class SqliteSessionRepository implements SessionRepository {
  readonly #find;

  /** Uses an open database and does not close it. */
  constructor(private readonly database: SqliteDatabase) {
    const columns = ['hash', 'developer_id', 'created_at', 'until'] as const;
    this.#find = prepareRows<SessionRow>(database, columns, 'FROM sessions WHERE hash = ?');
  }

  add(session: Session): Promise<void> {
    return this.database.write('addSession', session);
  }

  async findByHash(hash: string): Promise<Session | undefined> {
    const [row] = await this.database.readOne(() => this.#find(hash));
    return row && sessionOf(row);
  }

  renew(hash: string, until: Date): Promise<void> {
    return this.database.write('renewSession', hash, until);
  }

  end(hash: string): Promise<boolean> {
    return this.database.write('endSession', hash);
  }

  endAll(developerId: DeveloperId): Promise<number> {
    return this.database.write('endSessions', developerId);
  }

  async endExpired(asOf: Date): Promise<number> {
    let total = 0;
    for (let ended = SESSIONS_AT_ONCE; ended === SESSIONS_AT_ONCE; total += ended)
      ended = await this.database.write('endExpiredSessions', asOf, SESSIONS_AT_ONCE);
    return total;
  }
}

/** The writes of sessions. */
export function sessionWrites(connection: Connection) {
  const insert = connection.prepare('INSERT INTO sessions VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING');
  const renew = connection.prepare('UPDATE sessions SET until = ? WHERE hash = ? AND until < ?');
  const end = connection.prepare('DELETE FROM sessions WHERE hash = ?');
  const endAll = connection.prepare('DELETE FROM sessions WHERE developer_id = ?');
  const endExpired = connection.prepare(
    'DELETE FROM sessions WHERE hash IN (SELECT hash FROM sessions WHERE until <= ? LIMIT ?)',
  );
  return {
    addSession({ hash, developerId, createdAt, until }: Session): void {
      const { changes } = insert.run([hash, developerId, createdAt.getTime(), until.getTime()]);
      if (changes === 0) throw new DomainError('conflict', 'duplicate-session', 'a session has this hash already');
    },
    renewSession(hash: string, until: Date): void {
      renew.run([until.getTime(), hash, until.getTime()]);
    },
    endSession: (hash: string): boolean => end.run([hash]).changes > 0,
    endSessions: (developerId: DeveloperId): number => endAll.run([developerId]).changes,
    endExpiredSessions: (asOf: Date, limit: number): number => endExpired.run([asOf.getTime(), limit]).changes,
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
