import type { DeveloperId, Scope } from '../../domain/access.js';
import type { ApiKey, ApiKeyId } from '../../domain/api-key.js';
import { DomainError } from '../../domain/errors.js';
import type { ApiKeyRepository } from '../../domain/ports.js';
import type { SqliteDatabase } from './database.js';

interface ApiKeyRow {
  id: ApiKeyId;
  hash: string;
  prefix: string;
  developer_id: DeveloperId;
  name: string;
  scopes: string;
  created_at: number;
  lifetime: number | null;
  expires_at: number | null;
  last_used_at: number | null;
  revoked_at: number | null;
}

/** API keys in SQLite, by their hashes. */
export class SqliteApiKeyRepository implements ApiKeyRepository {
  readonly #statements;

  /** Uses an open database and does not close it. */
  constructor(private readonly database: SqliteDatabase) {
    this.#statements = prepare(database);
  }

  add(key: ApiKey): Promise<void> {
    return this.database.write(() => this.#insert(key));
  }

  async find(id: ApiKeyId): Promise<ApiKey | undefined> {
    return this.#keyOf(await this.database.readOne(() => this.#statements.find.get(id)));
  }

  async findByHash(hash: string): Promise<ApiKey | undefined> {
    return this.#keyOf(await this.database.readOne(() => this.#statements.findByHash.get(hash)));
  }

  async list(developerId?: DeveloperId): Promise<readonly ApiKey[]> {
    const { list, listOf } = this.#statements;
    const rows = await this.database.readOne(() => (developerId === undefined ? list.all() : listOf.all(developerId)));
    return (rows as ApiKeyRow[]).map(apiKeyOf);
  }

  replace(id: ApiKeyId, successor: ApiKey, until: Date): Promise<boolean> {
    return this.database.write(() => {
      if (this.#statements.endAt.run(until.getTime(), until.getTime(), id).changes === 0) return false;
      this.#insert(successor);
      return true;
    });
  }

  revoke(id: ApiKeyId, at: Date): Promise<boolean> {
    return this.database.write(() => this.#statements.revoke.run(at.getTime(), id).changes > 0);
  }

  async noteUse(id: ApiKeyId, at: Date): Promise<void> {
    await this.database.write(() => this.#statements.noteUse.run(at.getTime(), id, at.getTime()));
  }

  #insert(key: ApiKey): void {
    const { changes } = this.#statements.insert.run(
      key.id,
      key.hash,
      key.prefix,
      key.developerId,
      key.name,
      key.scopes.join(' '),
      key.createdAt.getTime(),
      key.lifetime ?? null,
      key.expiresAt?.getTime() ?? null,
      key.lastUsedAt?.getTime() ?? null,
      key.revokedAt?.getTime() ?? null,
    );
    if (changes === 0)
      throw new DomainError('conflict', 'duplicate-key', 'an API key has this id or this hash already');
  }

  #keyOf(row: unknown): ApiKey | undefined {
    return row === undefined ? undefined : apiKeyOf(row as ApiKeyRow);
  }
}

function prepare(database: SqliteDatabase) {
  return {
    insert: database.prepare(
      `INSERT INTO api_keys
         (id, hash, prefix, developer_id, name, scopes, created_at, lifetime, expires_at, last_used_at, revoked_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
    ),
    find: database.prepare('SELECT * FROM api_keys WHERE id = ?'),
    findByHash: database.prepare('SELECT * FROM api_keys WHERE hash = ?'),
    list: database.prepare('SELECT * FROM api_keys ORDER BY position'),
    listOf: database.prepare('SELECT * FROM api_keys WHERE developer_id = ? ORDER BY position'),
    endAt: database.prepare(
      'UPDATE api_keys SET expires_at = min(coalesce(expires_at, ?), ?) WHERE id = ? AND revoked_at IS NULL',
    ),
    revoke: database.prepare('UPDATE api_keys SET revoked_at = coalesce(revoked_at, ?) WHERE id = ?'),
    noteUse: database.prepare('UPDATE api_keys SET last_used_at = ? WHERE id = ? AND coalesce(last_used_at, 0) < ?'),
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
