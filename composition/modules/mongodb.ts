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

/** Every repository in a MongoDB database, whose client stays its opener's to close. Run `prepareMongo` before. */
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
