import type { DeveloperId } from '../../domain/access.js';
import { tooManyKeys, type ApiKey, type ApiKeyId } from '../../domain/api-key.js';
import { DomainError } from '../../domain/errors.js';
import type {
  ApiKeyQuery,
  ApiKeyRepository,
  Audited,
  EndedKeyQuery,
  KeyAddition,
  KeyReplacement,
} from '../../domain/ports.js';
import { whereOf } from './conditions.js';
import { appendEntries, audited } from './audit-log.js';
import { change, inLots, lockById, MAX_ROWS, type Query, type SqlConnection } from './connection.js';
import type { Value } from './dialect.js';
import { mappingOf, type Row } from './mapping.js';
import { END_OF_KEY } from './schema.js';

const API_KEY = mappingOf<ApiKey>({
  id: 'text',
  hash: 'text',
  prefix: 'text',
  developerId: 'text',
  name: 'text',
  scopes: 'json',
  createdAt: 'time',
  lifetime: 'integer',
  expiresAt: 'time',
  lastUsedAt: 'time',
  revokedAt: 'time',
});

/** API keys in a table, by their hashes. */
export class SqlApiKeyRepository implements ApiKeyRepository {
  readonly #keys: string;

  constructor(private readonly connection: SqlConnection) {
    this.#keys = `${connection.dialect.prefix}api_keys`;
  }

  add({ key, max, entries }: KeyAddition): Promise<void> {
    return this.connection.transaction(async (query) => {
      if (max !== undefined) await lockById(query, this.connection.dialect, key.developerId);
      await this.#insert(query, key, max);
      await appendEntries(query, this.connection.dialect, entries);
    });
  }

  async find(id: ApiKeyId): Promise<ApiKey | undefined> {
    return (await this.#select('WHERE id = $1', [id]))[0];
  }

  async findByHash(hash: string): Promise<ApiKey | undefined> {
    return (await this.#select('WHERE hash = $1', [hash]))[0];
  }

  list({ developerId, before, limit }: ApiKeyQuery): Promise<readonly ApiKey[]> {
    const isBefore = `position < ${this.#ofKey('position')}`;
    const conditions = [['developer_id = ?', developerId] as const, [isBefore, before] as const];
    const { where, values } = whereOf(conditions, 2);
    return this.#select(`${where} ORDER BY position DESC LIMIT $1`, [limit, ...values]);
  }

  listActive(developerId: DeveloperId, at: Date): Promise<readonly ApiKey[]> {
    return this.#select(`WHERE developer_id = $1 AND ${END_OF_KEY} > $2`, [developerId, at.getTime()]);
  }

  countActive(developerId: DeveloperId, at: Date): Promise<number> {
    return this.#countActive(this.connection.query, developerId, at);
  }

  listEnded({ developerId, asOf, before, limit }: EndedKeyQuery): Promise<readonly ApiKey[]> {
    const end = this.#ofKey(END_OF_KEY);
    const isBefore = `${END_OF_KEY} <= ${end} AND (${END_OF_KEY} < ${end} OR position < ${this.#ofKey('position')})`;
    const isEnded = `developer_id = $2 AND ${END_OF_KEY} <= $3`;
    const { where, values } = whereOf([[isEnded], [isBefore, before]], 4);
    const order = `ORDER BY ${END_OF_KEY} DESC, position DESC LIMIT $1`;
    return this.#select(`${where} ${order}`, [limit, developerId, asOf.getTime(), ...values]);
  }

  countEnded(developerId: DeveloperId, asOf: Date): Promise<number> {
    const condition = `developer_id = $1 AND ${END_OF_KEY} <= $2`;
    return this.#count(this.connection.query, condition, [developerId, asOf.getTime()]);
  }

  replace(id: ApiKeyId, { successor, until, max, entries }: KeyReplacement): Promise<boolean> {
    return audited(this.connection, entries, async (query) => {
      if (max !== undefined) await lockById(query, this.connection.dialect, successor.developerId);
      const ending = await query(
        `UPDATE ${this.#keys} SET expires_at = CASE WHEN expires_at < $2 THEN expires_at ELSE $2 END
         WHERE id = $1 AND revoked_at IS NULL RETURNING id`,
        [id, until.getTime()],
      );
      if (ending.length === 0) return false;
      await this.#insert(query, successor, max);
      return true;
    });
  }

  revoke(id: ApiKeyId, { at, entries }: Audited & { readonly at: Date }): Promise<boolean> {
    const sql = `UPDATE ${this.#keys} SET revoked_at = $2 WHERE id = $1 AND revoked_at IS NULL RETURNING id`;
    return this.connection.transaction(async (query) => {
      const isFirst = (await query(sql, [id, at.getTime()])).length > 0;
      if (isFirst) await appendEntries(query, this.connection.dialect, entries);
      return isFirst || (await this.#count(query, 'id = $1', [id])) > 0;
    });
  }

  rename(id: ApiKeyId, { name, entries }: Audited & { readonly name: string }): Promise<boolean> {
    const sql = `UPDATE ${this.#keys} SET name = $2 WHERE id = $1 RETURNING id`;
    return audited(this.connection, entries, async (query) => (await query(sql, [id, name])).length > 0);
  }

  async noteUse(id: ApiKeyId, at: Date): Promise<void> {
    const isLater = '(last_used_at IS NULL OR last_used_at < $2)';
    const sql = `UPDATE ${this.#keys} SET last_used_at = $2 WHERE id = $1 AND ${isLater}`;
    await change(this.connection, sql, [id, at.getTime()]);
  }

  removeEnded(asOf: Date): Promise<number> {
    const ended = `SELECT position FROM ${this.#keys} WHERE ${END_OF_KEY} <= $1 LIMIT ${MAX_ROWS}`;
    const sql = `DELETE FROM ${this.#keys} WHERE position IN (${ended}) RETURNING position`;
    return inLots(this.connection, sql, [asOf.getTime()]);
  }

  /** Returns a subquery for a column of a key; it is null for an unknown key. */
  #ofKey(column: string): string {
    return `(SELECT ${column} FROM ${this.#keys} WHERE id = ?)`;
  }

  async #select(rest: string, values: readonly Value[]): Promise<readonly ApiKey[]> {
    const sql = `SELECT ${API_KEY.columns} FROM ${this.#keys} ${rest}`;
    return (await this.connection.query<Row>(sql, values)).map(API_KEY.entityOf);
  }

  #countActive(query: Query, developerId: DeveloperId, at: Date): Promise<number> {
    return this.#count(query, `developer_id = $1 AND ${END_OF_KEY} > $2`, [developerId, at.getTime()]);
  }

  async #count(query: Query, condition: string, values: readonly Value[]): Promise<number> {
    const sql = `SELECT count(*) AS count FROM ${this.#keys} WHERE ${condition}`;
    return (await query<{ readonly count: number }>(sql, values))[0]?.count ?? 0;
  }

  /** With `max`, the developer is locked. */
  async #insert(query: Query, key: ApiKey, max?: number): Promise<void> {
    const { dialect } = this.connection;
    if (max !== undefined && (await this.#countActive(query, key.developerId, key.createdAt)) >= max)
      throw tooManyKeys(max);
    const sql = `INSERT INTO ${this.#keys} (${API_KEY.columns})
      SELECT ${API_KEY.columns} FROM ${dialect.rowsOf('$1', API_KEY.types)} AS given`;
    try {
      await query(sql, [JSON.stringify([API_KEY.rowOf(key)])]);
    } catch (error) {
      if (!dialect.isDuplicate(error)) throw error;
      throw new DomainError('conflict', 'duplicate-key', 'an API key has this id or this hash already');
    }
  }
}
