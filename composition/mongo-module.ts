import 'reflect-metadata';
import { ContainerModule } from 'inversify';
import type { Db } from 'mongodb';
import {
  MongoApiKeyRepository,
  MongoAuditLog,
  MongoAutomationRepository,
  MongoCategoryRepository,
  MongoDeveloperRepository,
  MongoSessionRepository,
} from '../adapters/mongodb/index.js';
import { CachingApiKeyRepository } from '../application/caching-api-key-repository.js';
import { CachingDeveloperRepository } from '../application/caching-developer-repository.js';
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
    bind(AUTOMATION_REPOSITORY).toResolvedValue(() => new MongoAutomationRepository(db)).inSingletonScope();
    bind(CATEGORY_REPOSITORY).toResolvedValue(() => new MongoCategoryRepository(db)).inSingletonScope();
    bind(API_KEY_REPOSITORY)
      .toResolvedValue(() => new CachingApiKeyRepository(new MongoApiKeyRepository(db), keyCache))
      .inSingletonScope();
    bind(DEVELOPER_REPOSITORY)
      .toResolvedValue(() => new CachingDeveloperRepository(new MongoDeveloperRepository(db), keyCache))
      .inSingletonScope();
    bind(SESSION_REPOSITORY).toResolvedValue(() => new MongoSessionRepository(db)).inSingletonScope();
    bind(AUDIT_LOG).toResolvedValue(() => new MongoAuditLog(db)).inSingletonScope();
  });
}
