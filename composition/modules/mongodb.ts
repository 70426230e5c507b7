import type { ContainerModule } from 'inversify';
import type { Db } from 'mongodb';
import {
  MongoApiKeyRepository,
  MongoAuditLog,
  MongoAutomationRepository,
  MongoCategoryRepository,
  MongoDeveloperRepository,
  MongoSessionRepository,
  ping,
  prepareMongo,
  recordCurrency,
} from '../../adapters/mongodb/index.js';
import type { CachingOptions } from '../../adapters/storage/index.js';
import { DomainError } from '../../domain/errors.js';
import type { Storage } from '../../domain/ports.js';
import { cachedStorage } from './cached-storage.js';
import { standIn } from './stand-in.js';
import { storageModule } from './storage.js';

/** Returns the module of a storage in a MongoDB database. */
export function mongoModule(db: Db, keyCache: CachingOptions = {}): ContainerModule {
  return storageModule(cachedStorage(mongoStorage(db), keyCache));
}

export function mongoStorage(db: Db): Storage {
  return standIn(
    {
      automations: new MongoAutomationRepository(db),
      categories: new MongoCategoryRepository(db),
      keys: new MongoApiKeyRepository(db),
      developers: new MongoDeveloperRepository(db),
      sessions: new MongoSessionRepository(db),
      auditLog: new MongoAuditLog(db),
    },
    {
      prepare: async ({ currency }) => {
        await prepareMongo(db);
        const recorded = await recordCurrency(db, currency);
        if (recorded !== currency)
          throw new DomainError('conflict', 'other-currency', `the store has the currency ${recorded}`);
      },
      ping: () => ping(db),
    },
  );
}
