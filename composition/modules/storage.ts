import 'reflect-metadata';
import { ContainerModule } from 'inversify';
import type {
  ApiKeyRepository,
  AuditLog,
  AutomationRepository,
  CategoryRepository,
  DeveloperRepository,
  SessionRepository,
} from '../../domain/ports.js';
import {
  API_KEY_REPOSITORY,
  AUDIT_LOG,
  AUTOMATION_REPOSITORY,
  CATEGORY_REPOSITORY,
  DEVELOPER_REPOSITORY,
  SESSION_REPOSITORY,
} from '../tokens.js';

/** The functions that create the repositories of a storage. */
interface Makers {
  readonly automations: () => AutomationRepository;
  readonly categories: () => CategoryRepository;
  readonly keys: () => ApiKeyRepository;
  readonly developers: () => DeveloperRepository;
  readonly sessions: () => SessionRepository;
  readonly auditLog: () => AuditLog;
}

/** Returns the module of a storage. Each repository is created once, at its first use. */
export function storageModule({
  automations,
  categories,
  keys,
  developers,
  sessions,
  auditLog,
}: Makers): ContainerModule {
  return new ContainerModule(({ bind }) => {
    bind(AUTOMATION_REPOSITORY).toResolvedValue(automations).inSingletonScope();
    bind(CATEGORY_REPOSITORY).toResolvedValue(categories).inSingletonScope();
    bind(API_KEY_REPOSITORY).toResolvedValue(keys).inSingletonScope();
    bind(DEVELOPER_REPOSITORY).toResolvedValue(developers).inSingletonScope();
    bind(SESSION_REPOSITORY).toResolvedValue(sessions).inSingletonScope();
    bind(AUDIT_LOG).toResolvedValue(auditLog).inSingletonScope();
  });
}
