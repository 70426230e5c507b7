import type { DeveloperId } from '../../domain/access.js';
import { DomainError } from '../../domain/errors.js';
import { MAX_SESSIONS, type Session } from '../../domain/session.js';
import type { Connection } from './connection.js';

/** The writes of sessions. */
export function sessionWrites(connection: Connection) {
  const insert = connection.prepare(
    `INSERT INTO sessions (hash, developer_id, created_at, until, address) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT DO NOTHING`,
  );
  const endOldest = connection.prepare(
    `DELETE FROM sessions WHERE hash IN
       (SELECT hash FROM sessions WHERE developer_id = ? AND hash <> ? ORDER BY created_at DESC LIMIT -1 OFFSET ?)`,
  );
  const renew = connection.prepare('UPDATE sessions SET until = ? WHERE hash = ? AND until < ?');
  const end = connection.prepare('DELETE FROM sessions WHERE hash = ?');
  const endAll = connection.prepare('DELETE FROM sessions WHERE developer_id = ? AND hash IS NOT ?');
  const endExpired = connection.prepare(
    'DELETE FROM sessions WHERE hash IN (SELECT hash FROM sessions WHERE until <= ? LIMIT ?)',
  );
  return {
    addSession({ hash, developerId, createdAt, until, address }: Session): void {
      const { changes } = insert.run([hash, developerId, createdAt.getTime(), until.getTime(), address ?? null]);
      if (changes === 0) throw new DomainError('conflict', 'duplicate-session', 'a session has this hash already');
      endOldest.run([developerId, hash, MAX_SESSIONS - 1]);
    },
    renewSession(hash: string, until: Date): void {
      renew.run([until.getTime(), hash, until.getTime()]);
    },
    endSession: (hash: string): boolean => end.run([hash]).changes > 0,
    endSessions: (developerId: DeveloperId, except?: string): number =>
      endAll.run([developerId, except ?? null]).changes,
    endExpiredSessions: (asOf: Date, limit: number): number => endExpired.run([asOf.getTime(), limit]).changes,
  };
}
