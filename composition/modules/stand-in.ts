import type { Storage } from '../../domain/ports.js';

type Repositories = Pick<Storage, 'automations' | 'categories' | 'keys' | 'developers' | 'sessions' | 'auditLog'>;

/** Returns a storage over repositories that have no archive yet. */
export function standIn(repositories: Repositories, life: Partial<Storage> = {}): Storage {
  const missing = () => Promise.reject(new Error('this storage has no archive yet'));
  return {
    ...repositories,
    archive: { scan: missing, findAny: missing, pendingAudit: async () => [], clearAudit: async () => undefined },
    prepare: async () => undefined,
    ping: async () => undefined,
    check: async () => [],
    close: async () => undefined,
    ...life,
  };
}
