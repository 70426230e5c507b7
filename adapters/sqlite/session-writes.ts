import type { DeveloperId } from '../../domain/access.js';
import { DomainError } from '../../domain/errors.js';
import type { Session } from '../../domain/session.js';
import type { Connection } from './connection.js';

/** The writes of sessions. */
export function sessionWrites(connection: Connection) {
  const insert = connection.prepare('INSERT INTO sessions VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING');
  const renew = connection.prepare('UPDATE sessions SET until = ? WHERE hash = ? AND until < ?');
  const end = connection.prepare('DELETE FROM sessions WHERE hash = ?');
  const endAll = connection.prepare('DELETE FROM sessions WHERE developer_id = ?');
  const endExpired = connection.prepare(
    'DELETE FROM sessions WHERE hash IN (SELECT hash FROM sessions WHERE until <= ? LIMIT ?)',
  );
  return {
    addSession({ hash, developerId, createdAt, until }: Session): void {
      const { changes } = insert.run([hash, developerId, createdAt.getTime(), until.getTime()]);
      if (changes === 0) throw new DomainError('conflict', 'duplicate-session', 'a session has this hash already');
    },
    renewSession(hash: string, until: Date): void {
      renew.run([until.getTime(), hash, until.getTime()]);
    },
    endSession: (hash: string): boolean => end.run([hash]).changes > 0,
    endSessions: (developerId: DeveloperId): number => endAll.run([developerId]).changes,
    endExpiredSessions: (asOf: Date, limit: number): number => endExpired.run([asOf.getTime(), limit]).changes,
  };
}
