import type { Db } from 'mongodb';
import { DEFAULT_CURRENCY } from '../../domain/currency.js';
import { requireOptions } from '../../domain/options.js';
import type { CatalogueSearch, PrepareOptions, Storage, StoreRecord, StoreState } from '../../domain/ports.js';
import { recordFor, requirePrepareOptions } from '../../domain/store-record.js';
import { untilClosed } from '../storage/until-closed.js';
import type { AnyDb } from './any-db.js';
import { MongoApiKeyRepository } from './api-key-repository.js';
import { MongoAuditLog } from './audit-log.js';
import { MongoAutomationArchive } from './automation-archive.js';
import { MongoAutomationRepository } from './automation-repository.js';
import { MongoCatalogueSearch } from './catalogue-search.js';
import { MongoCategoryRepository } from './category-repository.js';
import { collectionsOf } from './collections.js';
import { findOne, refusesWrites, WRITE, writing } from './commands.js';
import { CountedList } from './counted-list.js';
import { MongoDeveloperRepository } from './developer-repository.js';
import { MongoOAuthRecords } from './oauth-records.js';
import {
  checkIndexes,
  MONGO_SETTINGS,
  ping,
  prepareMongo,
  recordCurrency,
  type MongoStorageSettings,
} from './schema.js';
import { MongoReportRepository } from './report-repository.js';
import { MongoSessionRepository } from './session-repository.js';
import { writingSessionsOf } from './writing-sessions.js';

/** A store in a MongoDB database. */
export interface MongoStorage extends Storage {
  readonly search: CatalogueSearch;
}

/**
 * Returns a whole store in a database, through a client of `newMongoClient` or of the host's own. `close` ends its work
 * in the background; the client is not closed.
 * @throws TypeError for an unknown option.
 */
export function mongoStorage(database: AnyDb, settings: MongoStorageSettings = {}): MongoStorage {
  requireOptions('mongoStorage', settings, MONGO_SETTINGS);
  const db = database as Db;
  const counted = new CountedList(db, settings.onError);
  const automations = new MongoAutomationRepository(db, settings, counted);
  const search = new MongoCatalogueSearch(db, settings, counted);
  let isClosed = false;
  const open = <Port extends object>(port: Port) => untilClosed(port, () => isClosed);
  let record: StoreRecord | undefined;
  const whole = {
    prepare: async (options: PrepareOptions) => {
      record = await prepareStore(db, options, settings);
      search.build();
      return record;
    },
    ping: async (): Promise<StoreState> => {
      await ping(db);
      return refusesWrites(db) ? 'read-only' : 'ready';
    },
    check: async ({ repair }: { readonly repair: boolean }) => [
      ...(await checkIndexes(db, settings, repair)),
      ...(await automations.check(repair)),
      ...(await search.check({ repair })),
    ],
  };
  return {
    supports: { search: true, deepPages: true },
    automations: open(automations),
    archive: open(new MongoAutomationArchive(db)),
    search: open(search),
    categories: open(new MongoCategoryRepository(db)),
    keys: open(new MongoApiKeyRepository(db)),
    developers: open(new MongoDeveloperRepository(db)),
    sessions: open(new MongoSessionRepository(db)),
    auditLog: open(new MongoAuditLog(db)),
    oauthRecords: open(new MongoOAuthRecords(db)),
    reports: open(new MongoReportRepository(db)),
    recordedCurrency: () => record?.currency,
    ...open(whole),
    close: async () => {
      isClosed = true;
      await Promise.all([automations.stop(), search.stop()]);
      await writingSessionsOf(db).close();
    },
  };
}

const ADDRESS = { _id: 'address' };

async function prepareStore(db: Db, options: PrepareOptions, settings: MongoStorageSettings): Promise<StoreRecord> {
  requirePrepareOptions(options);
  await prepareMongo(db, settings);
  const { settings: recorded } = collectionsOf(db);
  const currency = await recordCurrency(db, options.currency ?? DEFAULT_CURRENCY);
  const address = (await findOne(recorded, ADDRESS))?.value as string | undefined;
  const record = recordFor({ currency, address }, options);
  const change = { $set: { value: options.address } };
  if (options.address !== undefined)
    await writing(db, () => recorded.updateOne(ADDRESS, change, { ...WRITE, upsert: true }));
  return record;
}
