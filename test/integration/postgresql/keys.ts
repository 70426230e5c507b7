import { DomainError, type ApiKey, type ApiKeyRepository } from 'automation-marketplace';
import { throwIfDuplicate, withoutNulls, type Database } from './database.js';

const COLUMNS =
  'id, hash, prefix, "developerId", name, scopes, "createdAt", lifetime, "expiresAt", "lastUsedAt", "revokedAt"';
const INSERT = `INSERT INTO keys (${COLUMNS}) SELECT ${COLUMNS} FROM json_populate_record(null::keys, $1)`;
const EXPIRE =
  'UPDATE keys SET "expiresAt" = least("expiresAt", $2) WHERE id = $1 AND "revokedAt" IS NULL RETURNING id';
const REVOKE = 'UPDATE keys SET "revokedAt" = coalesce("revokedAt", $2) WHERE id = $1 RETURNING id';
const RENAME = 'UPDATE keys SET name = $2 WHERE id = $1 RETURNING id';
const USE = 'UPDATE keys SET "lastUsedAt" = greatest("lastUsedAt", $2) WHERE id = $1';

/** The API keys, in the order of their `number`. */
export function postgresApiKeys(database: Database): ApiKeyRepository {
  const taken = new DomainError('conflict', 'duplicate-key', 'a key has this id or this hash already');
  const select = async (condition: string, value: string | undefined): Promise<readonly ApiKey[]> =>
    (await database.read<ApiKey>(`SELECT ${COLUMNS} FROM keys WHERE ${condition}`, [value])).map(withoutNulls<ApiKey>);
  return {
    add: (key) => database.execute(INSERT, [JSON.stringify(key)]).catch(throwIfDuplicate(taken)),
    find: async (id) => (await select('id = $1', id))[0],
    findByHash: async (hash) => (await select('hash = $1', hash))[0],
    list: (developerId) => select('$1::text IS NULL OR "developerId" = $1 ORDER BY number', developerId),
    replace(id, successor, until) {
      const replaced = database.write(async (query) => {
        const [found] = await query(EXPIRE, [id, until]);
        if (found !== undefined) await query(INSERT, [JSON.stringify(successor)]);
        return found !== undefined;
      });
      return replaced.catch(throwIfDuplicate(taken));
    },
    revoke: async (id, at) => (await database.change(REVOKE, [id, at])).length === 1,
    rename: async (id, name) => (await database.change(RENAME, [id, name])).length === 1,
    noteUse: (id, at) => database.execute(USE, [id, at]),
  };
}
