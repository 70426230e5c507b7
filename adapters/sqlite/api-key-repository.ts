import type { DeveloperId, Scope } from '../../domain/access.js';
import type { ApiKey, ApiKeyId } from '../../domain/api-key.js';
import { DomainError } from '../../domain/errors.js';
import type { ApiKeyRepository } from '../../domain/ports.js';
import { prepareRows, type Connection } from './connection.js';
import type { SqliteDatabase } from './database.js';

interface ApiKeyRow {
  readonly id: ApiKeyId;
  readonly hash: string;
  readonly prefix: string;
  readonly developer_id: DeveloperId;
  readonly name: string;
  readonly scopes: string;
  readonly created_at: number;
  readonly lifetime: number | null;
  readonly expires_at: number | null;
  readonly last_used_at: number | null;
  readonly revoked_at: number | null;
}

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

  noteUse(id: ApiKeyId, at: Date): Promise<void> {
    return this.database.write('noteKeyUse', id, at);
  }
}

const COLUMNS = [
  'id',
  'hash',
  'prefix',
  'developer_id',
  'name',
  'scopes',
  'created_at',
  'lifetime',
  'expires_at',
  'last_used_at',
  'revoked_at',
] as const satisfies readonly (keyof ApiKeyRow)[];

function prepare(database: SqliteDatabase) {
  const rows = (rest: string) => prepareRows<ApiKeyRow>(database, COLUMNS, `FROM api_keys ${rest}`);
  return {
    find: rows('WHERE id = ?'),
    findByHash: rows('WHERE hash = ?'),
    list: rows('ORDER BY position'),
    listOf: rows('WHERE developer_id = ? ORDER BY position'),
  };
}

/** The writes of API keys. */
export function apiKeyWrites(connection: Connection) {
  const insert = connection.prepare(
    `INSERT INTO api_keys (${COLUMNS.join(', ')}) VALUES (${COLUMNS.map(() => '?').join(', ')}) ON CONFLICT DO NOTHING`,
  );
  const endAt = connection.prepare(
    'UPDATE api_keys SET expires_at = min(coalesce(expires_at, ?), ?) WHERE id = ? AND revoked_at IS NULL',
  );
  const revoke = connection.prepare('UPDATE api_keys SET revoked_at = coalesce(revoked_at, ?) WHERE id = ?');
  const noteUse = connection.prepare(
    'UPDATE api_keys SET last_used_at = ? WHERE id = ? AND coalesce(last_used_at, 0) < ?',
  );

  function addKey(key: ApiKey): void {
    if (insert.run(valuesOf(key)).changes > 0) return;
    throw new DomainError('conflict', 'duplicate-key', 'an API key has this id or this hash already');
  }

  return {
    addKey,
    replaceKey(id: ApiKeyId, successor: ApiKey, until: Date): boolean {
      if (endAt.run([until.getTime(), until.getTime(), id]).changes === 0) return false;
      addKey(successor);
      return true;
    },
    revokeKey: (id: ApiKeyId, at: Date): boolean => revoke.run([at.getTime(), id]).changes > 0,
    noteKeyUse(id: ApiKeyId, at: Date): void {
      noteUse.run([at.getTime(), id, at.getTime()]);
    },
  };
}

function valuesOf(key: ApiKey) {
  return [
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
  ];
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
