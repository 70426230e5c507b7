import type { DeveloperId } from '../../domain/access.js';
import type { Audited, SessionRepository } from '../../domain/ports.js';
import { duplicateSession, type Session } from '../../domain/session.js';
import { appendEntries, audited } from './audit-log.js';
import { change, inLots, MAX_ROWS, type Query, type SqlConnection } from './connection.js';
import type { Dialect } from './dialect.js';
import { mappingOf, type Row } from './mapping.js';

const SESSION = mappingOf<Session>({
  hash: 'text',
  developerId: 'text',
  createdAt: 'time',
  until: 'time',
  address: 'text',
  sid: 'text',
});

/** The sessions of the panel in a table. */
export class SqlSessionRepository implements SessionRepository {
  readonly #sessions: string;

  constructor(private readonly connection: SqlConnection) {
    this.#sessions = `${connection.dialect.prefix}sessions`;
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

  end({ hash, entries }: Audited & { readonly hash: string }): Promise<boolean> {
    const sql = `DELETE FROM ${this.#sessions} WHERE hash = $1 RETURNING hash`;
    return audited(this.connection, entries, async (query) => (await query(sql, [hash])).length > 0);
  }

  endAll({ developerId, entries }: Audited & { readonly developerId: DeveloperId }): Promise<number> {
    const { dialect } = this.connection;
    return this.connection.transaction(async (query) => {
      const ended = await endSessions(query, dialect, { developerId });
      if (ended > 0) await appendEntries(query, dialect, entries);
      return ended;
    });
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
}

/** Stores a session, and ends all others of its developer but the latest `kept`. The developer is locked. */
export async function startSession(query: Query, dialect: Dialect, session: Session, kept: number): Promise<void> {
  const given = `${dialect.rowsOf('$1', SESSION.types)} AS given`;
  const sql = `INSERT INTO ${dialect.prefix}sessions (${SESSION.columns}) SELECT ${SESSION.columns} FROM ${given}
    WHERE true ON CONFLICT DO NOTHING RETURNING hash`;
  if ((await query(sql, [JSON.stringify([SESSION.rowOf(session)])])).length === 0) throw duplicateSession();
  await endSessions(query, dialect, { developerId: session.developerId, except: session.hash, kept });
}

/**
 * Ends the sessions of a developer but one, and but the latest `kept` of the others. Returns how many. It locks them in
 * one order, so that two that do so do not deadlock.
 */
export async function endSessions(
  query: Query,
  { prefix, forUpdate }: Dialect,
  { developerId, except = '', kept = 0 }: Pick<Session, 'developerId'> & { except?: string | undefined; kept?: number },
): Promise<number> {
  const ended = await query(
    `DELETE FROM ${prefix}sessions WHERE hash IN (
       SELECT hash FROM ${prefix}sessions WHERE hash IN (
         SELECT hash FROM (
           SELECT hash, row_number() OVER (ORDER BY created_at DESC) AS place
           FROM ${prefix}sessions WHERE developer_id = $1 AND hash <> $2) AS others
         WHERE place > $3)
       ORDER BY hash ${forUpdate}) RETURNING hash`,
    [developerId, except, kept],
  );
  return ended.length;
}
