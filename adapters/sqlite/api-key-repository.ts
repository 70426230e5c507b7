import type { DeveloperId, Scope } from '../../domain/access.js';
import type { ApiKey, ApiKeyId } from '../../domain/api-key.js';
import type { ApiKeyQuery, ApiKeyRepository, EndedKeyQuery } from '../../domain/ports.js';
import { API_KEY_COLUMNS, type ApiKeyRow } from './api-key-writes.js';
import { prepareRows } from './connection.js';
import type { SqliteDatabase } from './database.js';
import { END_OF_KEY } from './schema.js';

/** Keys removed in one transaction, so that each stays short. */
const KEYS_AT_ONCE = 500;

/** API keys in SQLite, by their hashes. */
export class SqliteApiKeyRepository implements ApiKeyRepository {
  readonly #statements;

  /** Uses an open database and does not close it. */
  constructor(private readonly database: SqliteDatabase) {
    this.#statements = prepare(database);
  }

  add(key: ApiKey): Promise<void> {
    return this.database.write('addKey', key);
  }

  async find(id: ApiKeyId): Promise<ApiKey | undefined> {
    const [row] = await this.database.readOne(() => this.#statements.find(id));
    return row && apiKeyOf(row);
  }

  async findByHash(hash: string): Promise<ApiKey | undefined> {
    const [row] = await this.database.readOne(() => this.#statements.findByHash(hash));
    return row && apiKeyOf(row);
  }

  async list({ developerId, limit, before }: ApiKeyQuery): Promise<readonly ApiKey[]> {
    const { list, listOf } = this.#statements;
    const rows = await this.database.readOne(() => {
      const { position } = this.#placeOf(before);
      return developerId === undefined ? list(position, limit) : listOf(developerId, position, limit);
    });
    return rows.map(apiKeyOf);
  }

  async listActive(developerId: DeveloperId, at: Date): Promise<readonly ApiKey[]> {
    const rows = await this.database.readOne(() => this.#statements.listActive(developerId, at.getTime()));
    return rows.map(apiKeyOf);
  }

  async countActive(developerId: DeveloperId, at: Date): Promise<number> {
    const [row] = await this.database.readOne(() => this.#statements.countActive(developerId, at.getTime()));
    return row?.count ?? 0;
  }

  async countEnded(developerId: DeveloperId, asOf: Date): Promise<number> {
    const [row] = await this.database.readOne(() => this.#statements.countEnded(developerId, asOf.getTime()));
    return row?.count ?? 0;
  }

  async listEnded({ developerId, asOf, limit, before }: EndedKeyQuery): Promise<readonly ApiKey[]> {
    const rows = await this.database.readOne(() => {
      const { position, end } = this.#placeOf(before);
      const last = Math.min(end, asOf.getTime());
      return this.#statements.listEnded(developerId, last, last, position, limit);
    });
    return rows.map(apiKeyOf);
  }

  replace(id: ApiKeyId, successor: ApiKey, until: Date): Promise<boolean> {
    return this.database.write('replaceKey', id, successor, until);
  }

  revoke(id: ApiKeyId, at: Date): Promise<boolean> {
    return this.database.write('revokeKey', id, at);
  }

  rename(id: ApiKeyId, name: string): Promise<boolean> {
    return this.database.write('renameKey', id, name);
  }

  noteUse(id: ApiKeyId, at: Date): Promise<void> {
    return this.database.write('noteKeyUse', id, at);
  }

  async removeEnded(asOf: Date): Promise<number> {
    let total = 0;
    for (let removed = KEYS_AT_ONCE; removed === KEYS_AT_ONCE; total += removed)
      removed = await this.database.write('removeEndedKeys', asOf, KEYS_AT_ONCE);
    return total;
  }

  /** Returns what the keys of a part are below: nothing is below an unknown key, everything if there is none. */
  #placeOf(before: ApiKeyId | undefined): Place {
    if (before === undefined) return { position: Number.MAX_SAFE_INTEGER, end: Number.MAX_SAFE_INTEGER };
    return this.#statements.placeOf(before)[0] ?? { position: 0, end: 0 };
  }
}

interface Place {
  readonly position: number;
  readonly end: number;
}

function prepare(database: SqliteDatabase) {
  const rows = (rest: string) => prepareRows<ApiKeyRow>(database, API_KEY_COLUMNS, `FROM api_keys ${rest}`);
  const count = (condition: string) =>
    prepareRows<{ readonly count: number }>(
      database,
      ['count'],
      `FROM (SELECT count(*) AS count FROM api_keys WHERE ${condition})`,
    );
  return {
    find: rows('WHERE id = ?'),
    findByHash: rows('WHERE hash = ?'),
    list: rows('WHERE position < ? ORDER BY position DESC LIMIT ?'),
    listOf: rows('WHERE developer_id = ? AND position < ? ORDER BY position DESC LIMIT ?'),
    listActive: rows(`WHERE developer_id = ? AND ${END_OF_KEY} > ?`),
    countActive: count(`developer_id = ? AND ${END_OF_KEY} > ?`),
    countEnded: count(`developer_id = ? AND ${END_OF_KEY} <= ?`),
    listEnded: rows(`WHERE developer_id = ? AND ${END_OF_KEY} <= ? AND (${END_OF_KEY} < ? OR position < ?)
      ORDER BY ${END_OF_KEY} DESC, position DESC LIMIT ?`),
    placeOf: prepareRows<Place>(
      database,
      ['position', 'end'],
      `FROM (SELECT position, ${END_OF_KEY} AS end FROM api_keys WHERE id = ?)`,
    ),
  };
}

function apiKeyOf(row: ApiKeyRow): ApiKey {
  return {
    id: row.id,
    hash: row.hash,
    prefix: row.prefix,
    developerId: row.developer_id,
    name: row.name,
    scopes: row.scopes.split(' ') as Scope[],
    createdAt: new Date(row.created_at),
    ...(row.lifetime !== null && { lifetime: row.lifetime }),
    ...(row.expires_at !== null && { expiresAt: new Date(row.expires_at) }),
    ...(row.last_used_at !== null && { lastUsedAt: new Date(row.last_used_at) }),
    ...(row.revoked_at !== null && { revokedAt: new Date(row.revoked_at) }),
  };
}
