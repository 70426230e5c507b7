import type { ContainerModule } from 'inversify';
import {
  InMemoryApiKeyRepository,
  InMemoryAuditLog,
  InMemoryAutomationRepository,
  InMemoryCategoryRepository,
  InMemoryDeveloperRepository,
  InMemorySessionRepository,
} from '../../adapters/in-memory/index.js';
import type { Storage } from '../../domain/ports.js';
import { standIn } from './stand-in.js';
import { storageModule } from './storage.js';

/** Returns the module of a storage in memory. */
export function inMemoryModule(): ContainerModule {
  return storageModule(inMemoryStorage());
}

export function inMemoryStorage(): Storage {
  return standIn({
    automations: new InMemoryAutomationRepository(),
    categories: new InMemoryCategoryRepository(),
    keys: new InMemoryApiKeyRepository(),
    developers: new InMemoryDeveloperRepository(),
    sessions: new InMemorySessionRepository(),
    auditLog: new InMemoryAuditLog(),
  });
}
