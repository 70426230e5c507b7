import 'reflect-metadata';
import { ContainerModule } from 'inversify';
import type { Storage } from '../../domain/ports.js';
import {
  API_KEY_REPOSITORY,
  AUDIT_LOG,
  AUTOMATION_ARCHIVE,
  AUTOMATION_REPOSITORY,
  CATEGORY_REPOSITORY,
  DEVELOPER_REPOSITORY,
  SESSION_REPOSITORY,
  STORAGE,
} from '../tokens.js';

/** Returns the module of a storage: it binds every port. Prepare and close the storage yourself. */
export function storageModule(storage: Storage): ContainerModule {
  return new ContainerModule(({ bind }) => {
    bind(STORAGE).toConstantValue(storage);
    bind(AUTOMATION_REPOSITORY).toConstantValue(storage.automations);
    bind(AUTOMATION_ARCHIVE).toConstantValue(storage.archive);
    bind(CATEGORY_REPOSITORY).toConstantValue(storage.categories);
    bind(API_KEY_REPOSITORY).toConstantValue(storage.keys);
    bind(DEVELOPER_REPOSITORY).toConstantValue(storage.developers);
    bind(SESSION_REPOSITORY).toConstantValue(storage.sessions);
    bind(AUDIT_LOG).toConstantValue(storage.auditLog);
  });
}
