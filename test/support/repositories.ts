import { Container, type ContainerModule } from 'inversify';
import { SqliteDatabase } from '../../adapters/sqlite/index.js';
import type {
  ApiKeyRepository,
  AuditLog,
  AutomationRepository,
  CategoryRepository,
  DeveloperRepository,
  SessionRepository,
} from '../../application/index.js';
import { inMemoryModule } from '../../composition/modules/in-memory.js';
import { sqliteModule } from '../../composition/modules/sqlite.js';
import { storageModule } from '../../composition/modules/storage.js';
import {
  API_KEY_REPOSITORY,
  AUDIT_LOG,
  AUTOMATION_REPOSITORY,
  CATEGORY_REPOSITORY,
  DEVELOPER_REPOSITORY,
  SESSION_REPOSITORY,
} from '../../composition/tokens.js';

/** Every repository of one storage. */
export interface Repositories {
  readonly automations: AutomationRepository;
  readonly categories: CategoryRepository;
  readonly apiKeys: ApiKeyRepository;
  readonly developers: DeveloperRepository;
  readonly sessions: SessionRepository;
  readonly auditLog: AuditLog;
  close(): void | Promise<void>;
}

/** Returns the repositories that a storage module binds. */
export function repositoriesOf(module: ContainerModule, close: Repositories['close']): Repositories {
  const container = new Container();
  container.load(module);
  return {
    automations: container.get(AUTOMATION_REPOSITORY),
    categories: container.get(CATEGORY_REPOSITORY),
    apiKeys: container.get(API_KEY_REPOSITORY),
    developers: container.get(DEVELOPER_REPOSITORY),
    sessions: container.get(SESSION_REPOSITORY),
    auditLog: container.get(AUDIT_LOG),
    close,
  };
}

/** Returns a storage module that binds these repositories. */
export function moduleOf(repositories: Repositories): ContainerModule {
  return storageModule({
    automations: () => repositories.automations,
    categories: () => repositories.categories,
    keys: () => repositories.apiKeys,
    developers: () => repositories.developers,
    sessions: () => repositories.sessions,
    auditLog: () => repositories.auditLog,
  });
}

export function overMemory(): Repositories {
  return repositoriesOf(inMemoryModule(), () => undefined);
}

export function overSqlite(database: SqliteDatabase): Repositories {
  return repositoriesOf(sqliteModule(database), () => database.close());
}

/** Returns the same repositories, each behind what `wrap` puts around it. */
export function wrapped(
  repositories: Repositories,
  wrap: <Port extends object>(port: Port, name: keyof Repositories) => Port,
): Repositories {
  return {
    automations: wrap(repositories.automations, 'automations'),
    categories: wrap(repositories.categories, 'categories'),
    apiKeys: wrap(repositories.apiKeys, 'apiKeys'),
    developers: wrap(repositories.developers, 'developers'),
    sessions: wrap(repositories.sessions, 'sessions'),
    auditLog: wrap(repositories.auditLog, 'auditLog'),
    close: () => repositories.close(),
  };
}
