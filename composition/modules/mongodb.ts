import type { ContainerModule } from 'inversify';
import type { Db } from 'mongodb';
import {
  MongoApiKeyRepository,
  MongoAuditLog,
  MongoAutomationRepository,
  MongoCategoryRepository,
  MongoDeveloperRepository,
  MongoSessionRepository,
} from '../../adapters/mongodb/index.js';
import {
  CachingApiKeyRepository,
  CachingDeveloperRepository,
  type CachingOptions,
} from '../../adapters/storage/index.js';
import { storageModule } from './storage.js';

/**
 * Returns the module of every repository in a MongoDB database. Run `prepareMongo` first; close the client yourself.
 */
export function mongoModule(db: Db, keyCache: CachingOptions = {}): ContainerModule {
  return storageModule({
    automations: () => new MongoAutomationRepository(db),
    categories: () => new MongoCategoryRepository(db),
    keys: () => new CachingApiKeyRepository(new MongoApiKeyRepository(db), keyCache),
    developers: () => new CachingDeveloperRepository(new MongoDeveloperRepository(db), keyCache),
    sessions: () => new MongoSessionRepository(db),
    auditLog: () => new MongoAuditLog(db),
  });
}
