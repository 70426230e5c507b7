import 'reflect-metadata';
import { ContainerModule } from 'inversify';
import type { Db } from 'mongodb';
import { MongoApiKeyRepository, MongoAutomationRepository, MongoCategoryRepository } from '../adapters/mongodb/index.js';
import { CachingApiKeyRepository, type CachingOptions } from '../application/caching-api-key-repository.js';
import { GroupCommitAutomationRepository } from '../application/group-commit-automation-repository.js';
import { API_KEY_REPOSITORY, AUTOMATION_REPOSITORY, CATEGORY_REPOSITORY } from './tokens.js';

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
  });
}
