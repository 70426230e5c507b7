import type { Db } from 'mongodb';
import { otherCurrency, type Currency } from '../../domain/currency.js';
import type { Storage } from '../../domain/ports.js';
import { untilClosed } from '../storage/until-closed.js';
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
  /** Gets each difference that the background check has found and corrected. */
  readonly onDifference?: OnDifference;
}

/** A `Db` of any copy of the driver 7. The types of two copies do not match, so that only its names are compared. */
export type AnyDb = Pick<Db, 'databaseName' | 'namespace'>;

/**
 * Returns a whole store in a database, through a client of `newMongoClient` or of the host's own. `close` ends its work
 * in the background; the client is not closed.
 */
export function mongoStorage(database: AnyDb, settings: MongoStorageSettings = {}): Storage {
  const db = database as Db;
  const automations = new MongoAutomationRepository(db, settings.onDifference);
  let isClosed = false;
  const open = <Port extends object>(port: Port) => untilClosed(port, () => isClosed);
  const upkeep = {
    prepare: ({ currency }: { readonly currency: Currency }) => prepareStore(db, currency),
    ping: () => ping(db),
    check: ({ repair }: { readonly repair: boolean }) => automations.selfCheck.all(repair),
  };
  return {
    automations: open(automations),
    archive: open(new MongoAutomationArchive(db)),
    categories: open(new MongoCategoryRepository(db)),
    keys: open(new MongoApiKeyRepository(db)),
    developers: open(new MongoDeveloperRepository(db)),
    sessions: open(new MongoSessionRepository(db)),
    auditLog: open(new MongoAuditLog(db)),
    ...open(upkeep),
    close: async () => {
      isClosed = true;
      await automations.stop();
    },
  };
}

async function prepareStore(db: Db, currency: Currency): Promise<void> {
  await prepareMongo(db);
  const stored = await recordCurrency(db, currency);
  if (stored !== currency) throw otherCurrency(stored);
}
