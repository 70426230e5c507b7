import 'reflect-metadata';
import { ContainerModule } from 'inversify';
import {
  InMemoryApiKeyRepository,
  InMemoryAuditLog,
  InMemoryAutomationRepository,
  InMemoryCategoryRepository,
  InMemoryDeveloperRepository,
  InMemorySessionRepository,
} from '../adapters/in-memory/index.js';
import {
  API_KEY_REPOSITORY,
  AUDIT_LOG,
  AUTOMATION_REPOSITORY,
  CATEGORY_REPOSITORY,
  DEVELOPER_REPOSITORY,
  SESSION_REPOSITORY,
} from './tokens.js';

/** Every repository in memory. */
export function inMemoryModule(): ContainerModule {
  return new ContainerModule(({ bind }) => {
    bind(AUTOMATION_REPOSITORY).toResolvedValue(() => new InMemoryAutomationRepository()).inSingletonScope();
    bind(CATEGORY_REPOSITORY).toResolvedValue(() => new InMemoryCategoryRepository()).inSingletonScope();
    bind(API_KEY_REPOSITORY).toResolvedValue(() => new InMemoryApiKeyRepository()).inSingletonScope();
    bind(DEVELOPER_REPOSITORY).toResolvedValue(() => new InMemoryDeveloperRepository()).inSingletonScope();
    bind(SESSION_REPOSITORY).toResolvedValue(() => new InMemorySessionRepository()).inSingletonScope();
    bind(AUDIT_LOG).toResolvedValue(() => new InMemoryAuditLog()).inSingletonScope();
  });
}
