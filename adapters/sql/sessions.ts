import type { DeveloperId } from '../../domain/access.js';
import { DomainError } from '../../domain/errors.js';
import type { SessionRepository } from '../../domain/ports.js';
import { MAX_SESSIONS, type Session } from '../../domain/session.js';
import type { SqlConnection, Value } from './connection.js';

interface SessionRow {
  readonly hash: string;
  readonly developer_id: DeveloperId;
  readonly created_at: number;
  readonly until: number;
  readonly address: string | null;
}

const COLUMNS = 'hash, developer_id, created_at, until, address';

/** The sessions of the panel in a table. */
export class SqlSessionRepository implements SessionRepository {
  readonly #sessions: string;

  constructor(private readonly connection: SqlConnection) {
    this.#sessions = `${connection.dialect.prefix}sessions`;
  }

  /** The second transaction sees the sessions that others have added meanwhile. */
  async add({ hash, developerId, createdAt, until, address }: Session): Promise<void> {
    const values = [hash, developerId, createdAt.getTime(), until.getTime(), address ?? null];
    const added = await this.#change(
      `INSERT INTO ${this.#sessions} (${COLUMNS}) VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING RETURNING hash`,
      values,
    );
    if (added === 0) throw new DomainError('conflict', 'duplicate-session', 'a session has this hash already');
    await this.#change(
      `DELETE FROM ${this.#sessions} WHERE hash IN (
         SELECT hash FROM (
           SELECT hash, row_number() OVER (ORDER BY created_at DESC) AS place
           FROM ${this.#sessions} WHERE developer_id = $1 AND hash <> $2) AS others
         WHERE place >= $3)`,
      [developerId, hash, MAX_SESSIONS],
    );
  }

  async findByHash(hash: string): Promise<Session | undefined> {
    return (await this.#select('WHERE hash = $1', hash))[0];
  }

  list(developerId: DeveloperId): Promise<readonly Session[]> {
    return this.#select('WHERE developer_id = $1 ORDER BY created_at DESC', developerId);
  }

  async renew(hash: string, until: Date): Promise<void> {
    await this.#change(`UPDATE ${this.#sessions} SET until = $2 WHERE hash = $1 AND until < $2`, [
      hash,
      until.getTime(),
    ]);
  }

  async end(hash: string): Promise<boolean> {
    return (await this.#remove('hash = $1', [hash])) === 1;
  }

  endAll(developerId: DeveloperId, except?: string): Promise<number> {
    return this.#remove('developer_id = $1 AND hash <> $2', [developerId, except ?? '']);
  }

  endExpired(asOf: Date): Promise<number> {
    return this.#remove('until <= $1', [asOf.getTime()]);
  }

  async #select(rest: string, value: string): Promise<readonly Session[]> {
    const sql = `SELECT ${COLUMNS} FROM ${this.#sessions} ${rest}`;
    return (await this.connection.query<SessionRow>(sql, [value])).map(sessionOf);
  }

  #remove(condition: string, values: readonly Value[]): Promise<number> {
    return this.#change(`DELETE FROM ${this.#sessions} WHERE ${condition} RETURNING hash`, values);
  }

  /** Returns how many rows the statement returns. */
  #change(sql: string, values: readonly Value[]): Promise<number> {
    return this.connection.transaction(async (query) => (await query(sql, values)).length);
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
