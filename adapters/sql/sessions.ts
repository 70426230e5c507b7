import type { DeveloperId } from '../../domain/access.js';
import { DomainError } from '../../domain/errors.js';
import type { SessionRepository } from '../../domain/ports.js';
import { MAX_SESSIONS, type Session } from '../../domain/session.js';
import { change, inLots, MAX_ROWS, type SqlConnection } from './connection.js';
import type { Value } from './dialect.js';
import { mappingOf, type Row } from './mapping.js';

const SESSION = mappingOf<Session>({
  hash: 'text',
  developerId: 'text',
  createdAt: 'time',
  until: 'time',
  address: 'text',
});

/** The sessions of the panel in a table. */
export class SqlSessionRepository implements SessionRepository {
  readonly #sessions: string;

  constructor(private readonly connection: SqlConnection) {
    this.#sessions = `${connection.dialect.prefix}sessions`;
  }

  /** The second transaction sees the sessions that others have added meanwhile. It locks in one order: no deadlock. */
  async add(session: Session): Promise<void> {
    const { hash, developerId } = session;
    const given = `${this.connection.dialect.rowsOf('$1', SESSION.types)} AS given`;
    const added = await change(
      this.connection,
      `INSERT INTO ${this.#sessions} (${SESSION.columns}) SELECT ${SESSION.columns} FROM ${given} WHERE true
       ON CONFLICT DO NOTHING RETURNING hash`,
      [JSON.stringify([SESSION.rowOf(session)])],
    );
    if (added === 0) throw new DomainError('conflict', 'duplicate-session', 'a session has this hash already');
    await change(
      this.connection,
      `DELETE FROM ${this.#sessions} WHERE hash IN (
         SELECT hash FROM ${this.#sessions} WHERE hash IN (
           SELECT hash FROM (
             SELECT hash, row_number() OVER (ORDER BY created_at DESC) AS place
             FROM ${this.#sessions} WHERE developer_id = $1 AND hash <> $2) AS others
           WHERE place >= $3)
         ORDER BY hash ${this.connection.dialect.forUpdate})`,
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
    await change(this.connection, `UPDATE ${this.#sessions} SET until = $2 WHERE hash = $1 AND until < $2`, [
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
    const expired = `SELECT hash FROM ${this.#sessions} WHERE until <= $1 LIMIT ${MAX_ROWS}`;
    const sql = `DELETE FROM ${this.#sessions} WHERE hash IN (${expired}) RETURNING hash`;
    return inLots(this.connection, sql, [asOf.getTime()]);
  }

  async #select(rest: string, value: string): Promise<readonly Session[]> {
    const sql = `SELECT ${SESSION.columns} FROM ${this.#sessions} ${rest}`;
    return (await this.connection.query<Row>(sql, [value])).map(SESSION.entityOf);
  }

  #remove(condition: string, values: readonly Value[]): Promise<number> {
    return change(this.connection, `DELETE FROM ${this.#sessions} WHERE ${condition} RETURNING hash`, values);
  }
}
