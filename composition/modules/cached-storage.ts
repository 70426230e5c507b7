import {
  CachingApiKeyRepository,
  CachingDeveloperRepository,
  GroupCommitAutomationRepository,
  type CachingOptions,
} from '../../adapters/storage/index.js';
import type { Storage } from '../../domain/ports.js';

/**
 * Returns the same storage with caches of keys and developers, and with group commit: adds that arrive at the same time
 * share one write.
 */
export function cachedStorage(storage: Storage, options: CachingOptions = {}): Storage {
  return {
    automations: new GroupCommitAutomationRepository(storage.automations),
    archive: storage.archive,
    categories: storage.categories,
    keys: new CachingApiKeyRepository(storage.keys, options),
    developers: new CachingDeveloperRepository(storage.developers, options),
    sessions: storage.sessions,
    auditLog: storage.auditLog,
    prepare: (settings) => storage.prepare(settings),
    ping: () => storage.ping(),
    check: (wanted) => storage.check(wanted),
    close: () => storage.close(),
  };
}
