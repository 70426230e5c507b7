import { DomainError, type ApiKey, type ApiKeyRepository } from 'automation-marketplace';
import { throwIfDuplicate, withoutNulls, type Database } from './database.js';

const COLUMNS =
  'id, hash, prefix, "developerId", name, scopes, "createdAt", lifetime, "expiresAt", "lastUsedAt", "revokedAt"';
const INSERT = `INSERT INTO keys (${COLUMNS}) SELECT ${COLUMNS} FROM json_populate_record(null::keys, $1)`;
const EXPIRE =
  'UPDATE keys SET "expiresAt" = least("expiresAt", $2) WHERE id = $1 AND "revokedAt" IS NULL RETURNING id';
const REVOKE = 'UPDATE keys SET "revokedAt" = coalesce("revokedAt", $2) WHERE id = $1 RETURNING id';
const RENAME = 'UPDATE keys SET name = $2 WHERE id = $1 RETURNING id';
const LIST = `
  ($1::text IS NULL OR "developerId" = $1) AND ($2::text IS NULL OR number < (SELECT number FROM keys WHERE id = $2))
  ORDER BY number DESC LIMIT $3`;
const ACTIVE = '"developerId" = $1 AND "endsAt" > $2';
const ENDED = `
  "developerId" = $1 AND "endsAt" <= $2
  AND ($3::text IS NULL OR ("endsAt", number) < (SELECT "endsAt", number FROM keys WHERE id = $3))
  ORDER BY "endsAt" DESC, number DESC LIMIT $4`;
const USE = 'UPDATE keys SET "lastUsedAt" = greatest("lastUsedAt", $2) WHERE id = $1';

/** The API keys, in the order of their `number`. */
export function postgresApiKeys(database: Database): ApiKeyRepository {
  const taken = new DomainError('conflict', 'duplicate-key', 'a key has this id or this hash already');
  const select = async (condition: string, ...values: readonly unknown[]): Promise<readonly ApiKey[]> =>
    (await database.read<ApiKey>(`SELECT ${COLUMNS} FROM keys WHERE ${condition}`, values)).map(withoutNulls<ApiKey>);
  const count = async (condition: string, ...values: readonly unknown[]): Promise<number> => {
    const text = `SELECT count(*)::int AS count FROM keys WHERE "developerId" = $1 AND ${condition}`;
    return (await database.read<{ readonly count: number }>(text, values))[0]?.count ?? 0;
  };
  return {
    add: (key) => database.execute(INSERT, [JSON.stringify(key)]).catch(throwIfDuplicate(taken)),
    find: async (id) => (await select('id = $1', id))[0],
    findByHash: async (hash) => (await select('hash = $1', hash))[0],
    list: ({ developerId, before, limit }) => select(LIST, developerId, before, limit),
    listActive: (developerId, at) => select(ACTIVE, developerId, at),
    countActive: (developerId, at) => count('"endsAt" > $2', developerId, at),
    countEnded: (developerId, asOf) => count('"endsAt" <= $2', developerId, asOf),
    listEnded: ({ developerId, asOf, before, limit }) => select(ENDED, developerId, asOf, before, limit),
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
    removeEnded: async (asOf) =>
      (await database.change('DELETE FROM keys WHERE "endsAt" <= $1 RETURNING id', [asOf])).length,
  };
}
