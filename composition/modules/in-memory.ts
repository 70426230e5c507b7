import type { ContainerModule } from 'inversify';
import {
  InMemoryApiKeyRepository,
  InMemoryAuditLog,
  InMemoryAutomationRepository,
  InMemoryCategoryRepository,
  InMemoryDeveloperRepository,
  InMemorySessionRepository,
} from '../../adapters/in-memory/index.js';
import { storageModule } from './storage.js';

/** Returns the module of every repository in memory. */
export function inMemoryModule(): ContainerModule {
  return storageModule({
    automations: () => new InMemoryAutomationRepository(),
    categories: () => new InMemoryCategoryRepository(),
    keys: () => new InMemoryApiKeyRepository(),
    developers: () => new InMemoryDeveloperRepository(),
    sessions: () => new InMemorySessionRepository(),
    auditLog: () => new InMemoryAuditLog(),
  });
}
