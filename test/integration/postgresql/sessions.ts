import { DomainError, MAX_SESSIONS, type Session, type SessionRepository } from 'automation-marketplace';
import { throwIfDuplicate, withoutNulls, type Database } from './database.js';

const COLUMNS = 'hash, "developerId", "createdAt", until, address';
const INSERT = `INSERT INTO sessions (${COLUMNS}) SELECT ${COLUMNS} FROM json_populate_record(null::sessions, $1)`;
const SELECT = `SELECT ${COLUMNS} FROM sessions`;
const END_OLDEST = `
  DELETE FROM sessions WHERE hash IN (
    SELECT hash FROM sessions WHERE "developerId" = $1 AND hash <> $2 ORDER BY "createdAt" DESC OFFSET $3)`;
const END_ALL = `DELETE FROM sessions WHERE "developerId" = $1 AND hash IS DISTINCT FROM $2 RETURNING hash`;
const RENEW = 'UPDATE sessions SET until = greatest(until, $2) WHERE hash = $1';

/** The sessions of the panel. */
export function postgresSessions(database: Database): SessionRepository {
  const taken = new DomainError('conflict', 'duplicate-session', 'a session has this hash already');
  const select = async (condition: string, value: string): Promise<readonly Session[]> =>
    (await database.read<Session>(`${SELECT} WHERE ${condition}`, [value])).map(withoutNulls<Session>);
  const remove = async (condition: string, value: string | Date): Promise<number> =>
    (await database.change(`DELETE FROM sessions WHERE ${condition} RETURNING hash`, [value])).length;
  return {
    async add(session) {
      await database.execute(INSERT, [JSON.stringify(session)]).catch(throwIfDuplicate(taken));
      // A transaction of its own sees the sessions that others have added meanwhile.
      await database.execute(END_OLDEST, [session.developerId, session.hash, MAX_SESSIONS - 1]);
    },
    findByHash: async (hash) => (await select('hash = $1', hash))[0],
    list: (developerId) => select('"developerId" = $1 ORDER BY "createdAt" DESC', developerId),
    renew: (hash, until) => database.execute(RENEW, [hash, until]),
    end: async (hash) => (await remove('hash = $1', hash)) === 1,
    endAll: async (developerId, except) => (await database.change(END_ALL, [developerId, except])).length,
    endExpired: (asOf) => remove('until <= $1', asOf),
  };
}
