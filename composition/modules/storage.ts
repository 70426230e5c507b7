import 'reflect-metadata';
import { ContainerModule } from 'inversify';
import { inMemoryStorage } from '../../adapters/in-memory/index.js';
import type { Storage } from '../../domain/ports.js';
import {
  API_KEY_REPOSITORY,
  AUTOMATION_STORE,
  CATEGORY_REPOSITORY,
  DEVELOPER_REPOSITORY,
  SESSION_REPOSITORY,
  STORAGE,
} from '../tokens.js';
import { requireStorage } from './own-storage.js';

/** Returns the module of a storage: it binds every port. Prepare the storage before its first use, and close it. */
export function storageModule(storage: Storage): ContainerModule {
  requireStorage('storageModule', storage);
  return new ContainerModule(({ bind }) => {
    bind(STORAGE).toConstantValue(storage);
    bind(AUTOMATION_STORE)
      .toResolvedValue(
        (storage) => {
          const { automations, archive, search, auditLog, oauthRecords, reports } = storage;
          const recordedCurrency = () => storage.recordedCurrency();
          return { automations, archive, search, auditLog, oauthRecords, reports, recordedCurrency };
        },
        [STORAGE],
      )
      .inSingletonScope();
    bind(CATEGORY_REPOSITORY)
      .toResolvedValue(({ categories }) => categories, [STORAGE])
      .inSingletonScope();
    bind(API_KEY_REPOSITORY)
      .toResolvedValue(({ keys }) => keys, [STORAGE])
      .inSingletonScope();
    bind(DEVELOPER_REPOSITORY)
      .toResolvedValue(({ developers }) => developers, [STORAGE])
      .inSingletonScope();
    bind(SESSION_REPOSITORY)
      .toResolvedValue(({ sessions }) => sessions, [STORAGE])
      .inSingletonScope();
  });
}

/** Returns the module of a store in the memory of this process. */
export function inMemoryModule(): ContainerModule {
  return storageModule(inMemoryStorage());
}
