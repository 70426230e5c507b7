import { DomainError, type Session, type SessionRepository } from 'automation-marketplace';
import { throwIfDuplicate, type Database } from './database.js';

const COLUMNS = 'hash, "developerId", "createdAt", until';
const INSERT = `INSERT INTO sessions (${COLUMNS}) SELECT ${COLUMNS} FROM json_populate_record(null::sessions, $1)`;
const FIND = `SELECT ${COLUMNS} FROM sessions WHERE hash = $1`;
const RENEW = 'UPDATE sessions SET until = greatest(until, $2) WHERE hash = $1';

/** The sessions of the panel. */
export function postgresSessions(database: Database): SessionRepository {
  const taken = new DomainError('conflict', 'duplicate-session', 'a session has this hash already');
  const remove = async (condition: string, value: string | Date): Promise<number> =>
    (await database.change(`DELETE FROM sessions WHERE ${condition} RETURNING hash`, [value])).length;
  return {
    add: (session) => database.execute(INSERT, [JSON.stringify(session)]).catch(throwIfDuplicate(taken)),
    findByHash: async (hash) => (await database.read<Session>(FIND, [hash]))[0],
    renew: (hash, until) => database.execute(RENEW, [hash, until]),
    end: async (hash) => (await remove('hash = $1', hash)) === 1,
    endAll: (developerId) => remove('"developerId" = $1', developerId),
    endExpired: (asOf) => remove('until <= $1', asOf),
  };
}
