import type { DeveloperId } from '../../domain/access.js';
import type { ApiKey, ApiKeyId } from '../../domain/api-key.js';
import { DomainError } from '../../domain/errors.js';
import type { Connection } from './connection.js';
import { END_OF_KEY } from './schema.js';

export interface ApiKeyRow {
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

export const API_KEY_COLUMNS = [
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

/** The writes of API keys. */
export function apiKeyWrites(connection: Connection) {
  const insert = connection.prepare(
    `INSERT INTO api_keys (${API_KEY_COLUMNS.join(', ')}) VALUES (${API_KEY_COLUMNS.map(() => '?').join(', ')})
     ON CONFLICT DO NOTHING`,
  );
  const endAt = connection.prepare(
    'UPDATE api_keys SET expires_at = min(coalesce(expires_at, ?), ?) WHERE id = ? AND revoked_at IS NULL',
  );
  const revoke = connection.prepare('UPDATE api_keys SET revoked_at = coalesce(revoked_at, ?) WHERE id = ?');
  const rename = connection.prepare('UPDATE api_keys SET name = ? WHERE id = ?');
  const noteUse = connection.prepare(
    'UPDATE api_keys SET last_used_at = ? WHERE id = ? AND coalesce(last_used_at, 0) < ?',
  );
  const removeEnded = connection.prepare(
    `DELETE FROM api_keys WHERE position IN (SELECT position FROM api_keys WHERE ${END_OF_KEY} <= ? LIMIT ?)`,
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
    renameKey: (id: ApiKeyId, name: string): boolean => rename.run([name, id]).changes > 0,
    noteKeyUse(id: ApiKeyId, at: Date): void {
      noteUse.run([at.getTime(), id, at.getTime()]);
    },
    removeEndedKeys: (asOf: Date, limit: number): number => removeEnded.run([asOf.getTime(), limit]).changes,
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
