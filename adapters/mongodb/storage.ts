import type { Db } from 'mongodb';
import { DomainError } from '../../domain/errors.js';
import type { Storage } from '../../domain/ports.js';
import { CachingApiKeyRepository, CachingDeveloperRepository } from '../storage/cached-repositories.js';
import { MongoApiKeyRepository } from './api-key-repository.js';
import { MongoAuditLog } from './audit-log.js';
import { MongoAutomationArchive } from './automation-archive.js';
import { MongoAutomationRepository } from './automation-repository.js';
import { MongoCategoryRepository } from './category-repository.js';
import { MongoDeveloperRepository } from './developer-repository.js';
import { ping, prepareMongo, recordCurrency } from './schema.js';
import type { OnDifference } from './self-check.js';
import { MongoSessionRepository } from './session-repository.js';

/** Settings of a storage in MongoDB. */
export interface MongoStorageSettings {
  /** The seconds for which keys and developers are kept; 5 by default, 0 asks the store every time. */
  readonly keyCacheSeconds?: number;
  /** Gets each difference that the background check has found and corrected. */
  readonly onDifference?: OnDifference;
}

/**
 * Returns a whole store in a database, through a client of `newMongoClient` or of the host's own. `close` closes the
 * client.
 */
export function mongoStorage(db: Db, settings: MongoStorageSettings = {}): Storage {
  const caching = settings.keyCacheSeconds === undefined ? {} : { seconds: settings.keyCacheSeconds };
  const automations = new MongoAutomationRepository(db, settings.onDifference);
  return {
    automations,
    archive: new MongoAutomationArchive(db),
    categories: new MongoCategoryRepository(db),
    keys: new CachingApiKeyRepository(new MongoApiKeyRepository(db), caching),
    developers: new CachingDeveloperRepository(new MongoDeveloperRepository(db), caching),
    sessions: new MongoSessionRepository(db),
    auditLog: new MongoAuditLog(db),
    prepare: async ({ currency }) => {
      await prepareMongo(db);
      const stored = await recordCurrency(db, currency);
      if (stored !== currency) throw otherCurrency(stored);
    },
    ping: () => ping(db),
    check: ({ repair }) => automations.selfCheck.all(repair),
    close: async () => {
      automations.stop();
      await db.client.close();
    },
  };
}

function otherCurrency(stored: string): DomainError {
  return new DomainError('conflict', 'other-currency', `the store has prices in ${stored}`);
}
