import type { DeveloperId } from '../../domain/access.js';
import type {
  Audited,
  OAuthRecord,
  OAuthRecordQuery,
  OAuthRecords,
  RecordAddition,
  RecordRemoval,
} from '../../domain/ports.js';
import { whereOf } from './conditions.js';
import { appendEntries, audited } from './audit-log.js';
import { change, inLots, lockById, MAX_ROWS, type Query, type SqlConnection } from './connection.js';
import type { Value } from './dialect.js';
import { mappingOf, type Row } from './mapping.js';

const RECORD = mappingOf<OAuthRecord>({
  kind: 'text',
  id: 'text',
  content: 'text',
  developerId: 'text',
  clientId: 'text',
  grantId: 'text',
  uid: 'text',
  userCode: 'text',
  expiresAt: 'time',
  consumedAt: 'time',
});

const KEPT: readonly string[] = ['kind', 'id', 'consumed_at'];

const REPLACED = Object.keys(RECORD.types).filter((column) => !KEPT.includes(column));
/** What replaces a record that is there already: every column but its key, and when it was consumed. */
const REPLACEMENT = REPLACED.map((column) => `${column} = excluded.${column}`).join(', ');
const REPLACED_BY_VALUES = REPLACED.map((column, index) => `${column} = $${index + 4}`).join(', ');

/** The records of the authorization server in a table. */
export class SqlOAuthRecords implements OAuthRecords {
  readonly #records: string;

  constructor(private readonly connection: SqlConnection) {
    this.#records = `${connection.dialect.prefix}oauth_records`;
  }

  upsert(record: OAuthRecord): Promise<void> {
    return this.connection.transaction((query) => this.#upsert(query, record));
  }

  add({ record, max, entries }: RecordAddition): Promise<boolean> {
    const { kind, developerId } = record;
    const { dialect } = this.connection;
    return audited(this.connection, entries, async (query) => {
      if (max !== undefined) await lockById(query, dialect, developerId);
      const hasRoom = max === undefined || (await this.#count(query, kind, developerId)) < max;
      if (hasRoom) await this.#upsert(query, record);
      return hasRoom;
    });
  }

  replace(record: OAuthRecord, { from, entries }: Audited & { readonly from: string }): Promise<boolean> {
    const { consumedAt: _ignored, ...given } = record;
    const row = RECORD.rowOf(given);
    const sql = `UPDATE ${this.#records} SET ${REPLACED_BY_VALUES}
      WHERE kind = $1 AND id = $2 AND content = $3 RETURNING id`;
    const values = [record.kind, record.id, from, ...REPLACED.map((column) => row[column] ?? null)];
    return audited(this.connection, entries, async (query) => (await query(sql, values)).length === 1);
  }

  async find(kind: string, id: string): Promise<OAuthRecord | undefined> {
    return (await this.#select('WHERE kind = $1 AND id = $2', [kind, id]))[0];
  }

  async findByUid(kind: string, uid: string): Promise<OAuthRecord | undefined> {
    return (await this.#select('WHERE kind = $1 AND uid = $2', [kind, uid]))[0];
  }

  async findByUserCode(kind: string, userCode: string): Promise<OAuthRecord | undefined> {
    return (await this.#select('WHERE kind = $1 AND user_code = $2', [kind, userCode]))[0];
  }

  list({ kind, developerId, before, limit }: OAuthRecordQuery): Promise<readonly OAuthRecord[]> {
    const { where, values } = whereOf([['kind = $2'], ['developer_id = ?', developerId], ['id < ?', before]], 3);
    return this.#select(`${where} ORDER BY id DESC LIMIT $1`, [limit, kind, ...values]);
  }

  count(kind: string, developerId: DeveloperId): Promise<number> {
    return this.#count(this.connection.query, kind, developerId);
  }

  async consume(kind: string, id: string, at: Date): Promise<boolean> {
    const sql = `UPDATE ${this.#records} SET consumed_at = $3
      WHERE kind = $1 AND id = $2 AND consumed_at IS NULL RETURNING id`;
    return (await change(this.connection, sql, [kind, id, at.getTime()])) === 1;
  }

  destroy({ kind, id, entries }: RecordRemoval): Promise<boolean> {
    const sql = `DELETE FROM ${this.#records} WHERE kind = $1 AND id = $2 RETURNING id`;
    return audited(this.connection, entries, async (query) => (await query(sql, [kind, id])).length === 1);
  }

  revokeByGrantId(grantId: string): Promise<number> {
    return this.#removeAll('grant_id = $1', grantId);
  }

  revokeByClientId({ clientId, entries }: Audited & { readonly clientId: string }): Promise<number> {
    return this.#removeAll('client_id = $1', clientId, entries);
  }

  removeExpired(asOf: Date): Promise<number> {
    return this.#removeAll('expires_at <= $1', asOf.getTime());
  }

  async #upsert(query: Query, record: OAuthRecord): Promise<void> {
    const { consumedAt: _ignored, ...given } = record;
    await query(
      `INSERT INTO ${this.#records} (${RECORD.columns})
       SELECT ${RECORD.columns} FROM ${this.connection.dialect.rowsOf('$1', RECORD.types)} AS given WHERE true
       ON CONFLICT (kind, id) DO UPDATE SET ${REPLACEMENT}`,
      [JSON.stringify([RECORD.rowOf(given)])],
    );
  }

  async #count(query: Query, kind: string, developerId: DeveloperId): Promise<number> {
    const sql = `SELECT count(*) AS count FROM ${this.#records} WHERE kind = $1 AND developer_id = $2`;
    return (await query<{ readonly count: number }>(sql, [kind, developerId]))[0]?.count ?? 0;
  }

  async #select(rest: string, values: readonly Value[]): Promise<readonly OAuthRecord[]> {
    const sql = `SELECT ${RECORD.columns} FROM ${this.#records} ${rest}`;
    return (await this.connection.query<Row>(sql, values)).map(RECORD.entityOf);
  }

  /**
   * PostgreSQL compares a record once more when it locks it. One that no longer matches stays. One that is gone does
   * not count, so that a smaller lot is the last. The entries are stored with the first one.
   */
  #removeAll(condition: string, value: Value, entries: Audited['entries'] = []): Promise<number> {
    const { dialect } = this.connection;
    const some = `SELECT kind, id FROM ${this.#records} WHERE ${condition} LIMIT ${MAX_ROWS} ${dialect.forUpdate}`;
    const sql = `DELETE FROM ${this.#records} WHERE (kind, id) IN (${some}) RETURNING id`;
    return inLots(this.connection, sql, [value], (query) => appendEntries(query, dialect, entries));
  }
}
