import type { DeveloperId, Scope } from '../../domain/access.js';
import type { ApiKey, ApiKeyId } from '../../domain/api-key.js';
import type { ApiKeyRepository } from '../../domain/ports.js';
import { API_KEY_COLUMNS, type ApiKeyRow } from './api-key-writes.js';
import { prepareRows } from './connection.js';
import type { SqliteDatabase } from './database.js';

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

  async list(developerId?: DeveloperId): Promise<readonly ApiKey[]> {
    const { list, listOf } = this.#statements;
    const rows = await this.database.readOne(() => (developerId === undefined ? list() : listOf(developerId)));
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
}

function prepare(database: SqliteDatabase) {
  const rows = (rest: string) => prepareRows<ApiKeyRow>(database, API_KEY_COLUMNS, `FROM api_keys ${rest}`);
  return {
    find: rows('WHERE id = ?'),
    findByHash: rows('WHERE hash = ?'),
    list: rows('ORDER BY position'),
    listOf: rows('WHERE developer_id = ? ORDER BY position'),
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
