import type { Storage } from '../../domain/ports.js';
import { cachedDevelopers, cachedKeys, type CachingOptions } from './cached-lookups.js';

/**
 * Returns the same storage with caches of keys and developers. The service puts this around every storage; do not put
 * it around a storage twice.
 */
export function cachedStorage(storage: Storage, options: CachingOptions = {}): Storage {
  return {
    supports: storage.supports,
    automations: storage.automations,
    archive: storage.archive,
    ...(storage.search && { search: storage.search }),
    categories: storage.categories,
    keys: cachedKeys(storage.keys, options),
    developers: cachedDevelopers(storage.developers, options),
    sessions: storage.sessions,
    auditLog: storage.auditLog,
    prepare: (settings) => storage.prepare(settings),
    ping: () => storage.ping(),
    check: (wanted) => storage.check(wanted),
    close: () => storage.close(),
  };
}
