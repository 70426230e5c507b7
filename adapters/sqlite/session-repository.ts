import type { DeveloperId } from '../../domain/access.js';
import type { SessionRepository } from '../../domain/ports.js';
import type { Session } from '../../domain/session.js';
import { prepareRows } from './connection.js';
import type { SqliteDatabase } from './database.js';

interface SessionRow {
  readonly hash: string;
  readonly developer_id: DeveloperId;
  readonly created_at: number;
  readonly until: number;
  readonly address: string | null;
}

/** Sessions ended in one transaction, so that each stays short. */
const SESSIONS_AT_ONCE = 500;

/** Sessions in SQLite, by their hashes. */
export class SqliteSessionRepository implements SessionRepository {
  readonly #find;
  readonly #listOf;

  /** Uses an open database and does not close it. */
  constructor(private readonly database: SqliteDatabase) {
    const columns = ['hash', 'developer_id', 'created_at', 'until', 'address'] as const;
    this.#find = prepareRows<SessionRow>(database, columns, 'FROM sessions WHERE hash = ?');
    const ofDeveloper = 'FROM sessions WHERE developer_id = ? ORDER BY created_at DESC';
    this.#listOf = prepareRows<SessionRow>(database, columns, ofDeveloper);
  }

  add(session: Session): Promise<void> {
    return this.database.write('addSession', session);
  }

  async findByHash(hash: string): Promise<Session | undefined> {
    const [row] = await this.database.readOne(() => this.#find(hash));
    return row && sessionOf(row);
  }

  async list(developerId: DeveloperId): Promise<readonly Session[]> {
    return (await this.database.readOne(() => this.#listOf(developerId))).map(sessionOf);
  }

  renew(hash: string, until: Date): Promise<void> {
    return this.database.write('renewSession', hash, until);
  }

  end(hash: string): Promise<boolean> {
    return this.database.write('endSession', hash);
  }

  endAll(developerId: DeveloperId, except?: string): Promise<number> {
    return this.database.write('endSessions', developerId, except);
  }

  async endExpired(asOf: Date): Promise<number> {
    let total = 0;
    for (let ended = SESSIONS_AT_ONCE; ended === SESSIONS_AT_ONCE; total += ended)
      ended = await this.database.write('endExpiredSessions', asOf, SESSIONS_AT_ONCE);
    return total;
  }
}

function sessionOf(row: SessionRow): Session {
  return {
    hash: row.hash,
    developerId: row.developer_id,
    createdAt: new Date(row.created_at),
    until: new Date(row.until),
    ...(row.address !== null && { address: row.address }),
  };
}
