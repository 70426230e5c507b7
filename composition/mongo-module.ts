import 'reflect-metadata';
import { ContainerModule } from 'inversify';
import type { Db } from 'mongodb';
import { InMemoryAuditLog, InMemoryDeveloperRepository, InMemorySessionRepository } from '../adapters/in-memory/index.js';
import { MongoApiKeyRepository, MongoAutomationRepository, MongoCategoryRepository } from '../adapters/mongodb/index.js';
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

/** Every repository in a MongoDB database, whose client stays its opener's to close. Run `prepareMongo` before. */
export function mongoModule(db: Db, keyCache: CachingOptions = {}): ContainerModule {
  return new ContainerModule(({ bind }) => {
    bind(AUTOMATION_REPOSITORY)
      .toResolvedValue(() => new GroupCommitAutomationRepository(new MongoAutomationRepository(db)))
      .inSingletonScope();
    bind(CATEGORY_REPOSITORY).toResolvedValue(() => new MongoCategoryRepository(db)).inSingletonScope();
    bind(API_KEY_REPOSITORY)
      .toResolvedValue(() => new CachingApiKeyRepository(new MongoApiKeyRepository(db), keyCache))
      .inSingletonScope();
    // Gone with the process until they have a place in the database.
    bind(DEVELOPER_REPOSITORY)
      .toResolvedValue(() => new CachingDeveloperRepository(new InMemoryDeveloperRepository(), keyCache))
      .inSingletonScope();
    bind(SESSION_REPOSITORY).toResolvedValue(() => new InMemorySessionRepository()).inSingletonScope();
    bind(AUDIT_LOG).toResolvedValue(() => new InMemoryAuditLog()).inSingletonScope();
  });
}
