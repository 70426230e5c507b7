import 'reflect-metadata';
import { ContainerModule } from 'inversify';
import {
  SqliteApiKeyRepository,
  SqliteAuditLog,
  SqliteAutomationRepository,
  SqliteCategoryRepository,
  SqliteDeveloperRepository,
  SqliteSessionRepository,
  type SqliteDatabase,
} from '../adapters/sqlite/index.js';
import { CachingApiKeyRepository } from '../application/caching-api-key-repository.js';
import { CachingDeveloperRepository } from '../application/caching-developer-repository.js';
import { GroupCommitAutomationRepository } from '../application/group-commit-automation-repository.js';
import type { CachingOptions } from '../application/lookups.js';
import {
  API_KEY_REPOSITORY,
  AUDIT_LOG,
  AUTOMATION_REPOSITORY,
  CATEGORY_REPOSITORY,
  DEVELOPER_REPOSITORY,
  SESSION_REPOSITORY,
} from './tokens.js';

/** Every repository in an SQLite database, which stays its opener's to close. */
export function sqliteModule(database: SqliteDatabase, keyCache: CachingOptions = {}): ContainerModule {
  return new ContainerModule(({ bind }) => {
    bind(AUTOMATION_REPOSITORY)
      .toResolvedValue(() => new GroupCommitAutomationRepository(new SqliteAutomationRepository(database)))
      .inSingletonScope();
    bind(CATEGORY_REPOSITORY).toResolvedValue(() => new SqliteCategoryRepository(database)).inSingletonScope();
    bind(API_KEY_REPOSITORY)
      .toResolvedValue(() => new CachingApiKeyRepository(new SqliteApiKeyRepository(database), keyCache))
      .inSingletonScope();
    bind(DEVELOPER_REPOSITORY)
      .toResolvedValue(() => new CachingDeveloperRepository(new SqliteDeveloperRepository(database), keyCache))
      .inSingletonScope();
    bind(SESSION_REPOSITORY).toResolvedValue(() => new SqliteSessionRepository(database)).inSingletonScope();
    bind(AUDIT_LOG).toResolvedValue(() => new SqliteAuditLog(database)).inSingletonScope();
  });
}
