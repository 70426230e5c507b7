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

/** How the repositories of a storage are made. */
interface Makers {
  readonly automations: () => AutomationRepository;
  readonly categories: () => CategoryRepository;
  readonly keys: () => ApiKeyRepository;
  readonly developers: () => DeveloperRepository;
  readonly sessions: () => SessionRepository;
  readonly auditLog: () => AuditLog;
}

/** Every repository of a storage, each made once, when it is first asked for. */
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
