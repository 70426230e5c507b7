import 'reflect-metadata';
import { ContainerModule } from 'inversify';
import {
  InMemoryApiKeyRepository,
  InMemoryAutomationRepository,
  InMemoryCategoryRepository,
} from '../adapters/in-memory/index.js';
import {
  SqliteApiKeyRepository,
  SqliteAutomationRepository,
  SqliteCategoryRepository,
  type SqliteDatabase,
} from '../adapters/sqlite/index.js';
import { CachingApiKeyRepository, type CachingOptions } from '../application/caching-api-key-repository.js';
import { DeveloperKeys } from '../application/developer-keys.js';
import { GroupCommitAutomationRepository } from '../application/group-commit-automation-repository.js';
import { Marketplace, type MarketplaceOptions } from '../application/marketplace.js';
import { StoredApiKeyVerifier } from '../application/stored-api-key-verifier.js';
import {
  API_KEY_REPOSITORY,
  API_KEY_VERIFIER,
  AUTOMATION_REPOSITORY,
  CATEGORY_REPOSITORY,
  DEVELOPER_KEYS,
  MARKETPLACE,
} from './tokens.js';

/** The core. It needs the repositories of one of the storage modules, or a host's own. */
export function coreModule(options: MarketplaceOptions = {}): ContainerModule {
  return new ContainerModule(({ bind }) => {
    bind(MARKETPLACE)
      .toResolvedValue(
        (automations, categories) => new Marketplace(automations, categories, options),
        [AUTOMATION_REPOSITORY, CATEGORY_REPOSITORY],
      )
      .inSingletonScope();
    bind(DEVELOPER_KEYS)
      .toResolvedValue((keys) => new DeveloperKeys(keys), [API_KEY_REPOSITORY])
      .inSingletonScope();
    bind(API_KEY_VERIFIER)
      .toResolvedValue((keys) => new StoredApiKeyVerifier(keys), [API_KEY_REPOSITORY])
      .inSingletonScope();
  });
}

/** Every repository in memory. */
export function inMemoryModule(): ContainerModule {
  return new ContainerModule(({ bind }) => {
    bind(AUTOMATION_REPOSITORY).toResolvedValue(() => new InMemoryAutomationRepository()).inSingletonScope();
    bind(CATEGORY_REPOSITORY).toResolvedValue(() => new InMemoryCategoryRepository()).inSingletonScope();
    bind(API_KEY_REPOSITORY).toResolvedValue(() => new InMemoryApiKeyRepository()).inSingletonScope();
  });
}

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
  });
}
