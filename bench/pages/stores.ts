import { join } from 'node:path';
import pg from 'pg';
import { CountedList } from '../../adapters/mongodb/counted-list.js';
import { MongoAutomationRepository, mongoStorage } from '../../adapters/mongodb/index.js';
import { inMemoryStorage } from '../../adapters/in-memory/index.js';
import { SqlAutomationRepository } from '../../adapters/sql/automations.js';
import { RecordedCurrency } from '../../adapters/sql/settings.js';
import type { SqlConnection } from '../../adapters/sql/connection.js';
import { PostgresConnection } from '../../adapters/sql/postgresql/connection.js';
import { postgresStorage } from '../../adapters/sql/postgresql/index.js';
import { SqliteConnection } from '../../adapters/sql/sqlite/connection.js';
import { sqliteStorage } from '../../adapters/sql/sqlite/index.js';
import { newUuid } from '../../application/defaults.js';
import type { DeveloperId } from '../../domain/access.js';
import type { AuditEntryId } from '../../domain/audit.js';
import type { Automation } from '../../domain/automation.js';
import { parseCurrency } from '../../domain/currency.js';
import type { AutomationQuery, AutomationRepository, Storage } from '../../domain/ports.js';
import { fillMongo, newPatientClient, recount } from '../../test/support/large-mongo.js';
import { newPostgresPlace, runSql } from '../../test/support/postgres.js';
import { ReplicaSet } from '../../test/support/replica-set.js';
import { inBatches, newAutomations, newCategories } from '../catalogue.js';
import { temporaryFolder } from '../temporary.js';
import { mongoPeer, sqlPeer, type Peer } from './peers.js';

export const CATEGORIES = newCategories(16);

/** A store without an index of words. */
export interface Store {
  readonly size: number;
  readonly automations: AutomationRepository;
  /** Reads a page by skipping and counting. */
  readonly peer: Peer;
  /** Returns a call that reads a page which no cache has. */
  uncached(query: AutomationQuery): () => Promise<unknown>;
  /** Opens the store again, as a process that starts. It stays open until this process ends. */
  reopened(): Promise<AutomationRepository>;
  close(): Promise<unknown>;
}

type Opened = Omit<Store, 'size'> & {
  /** Instead of `add`, where that takes minutes. */
  fill?(batches: Iterable<readonly Automation[]>): Promise<void>;
  /** Brings the statistics of the database up to date. */
  settle?(): Promise<unknown>;
};

export const STORAGES: Readonly<Record<string, () => Promise<Opened>>> = {
  memory: openMemory,
  SQLite: openSqlite,
  PostgreSQL: openPostgres,
  MongoDB: openMongo,
};

const BATCH_SIZE = 500;

/** Returns a store with this number of automations. */
export async function fill(name: string, size: number): Promise<Store> {
  const store = await (STORAGES[name] as () => Promise<Opened>)();
  const batches = inBatches(newAutomations(size, CATEGORIES), BATCH_SIZE);
  if (store.fill) await store.fill(batches);
  else for (const batch of batches) await store.automations.add(batch.map((automation) => ({ automation })));
  await store.settle?.();
  return { ...store, size };
}

/** Withdraws all that 50 of 500 developers sell: a tenth, at random places. */
export async function withdrawTenth({ automations, size }: Store): Promise<void> {
  for (let n = 1; n <= 50; n += 1) {
    const developerId = `developer-${n}` as DeveloperId;
    const at = new Date();
    const auditEntry = { at, actor: 'developer', action: 'automation-withdrawn', developerId } as const;
    const withdrawal = { developerId, at, by: 'developer', auditEntry } as const;
    const lot = Math.min(500, Math.ceil(size / 500));
    const entryIds = () => Array.from({ length: lot }, () => newUuid() as AuditEntryId);
    while ((await automations.withdrawAll({ ...withdrawal, entryIds: entryIds() })).length > 0);
  }
}

async function prepared<Opened extends Storage>(storage: Opened): Promise<Opened> {
  await storage.prepare({ currency: parseCurrency('USD') });
  return storage;
}

async function openMemory(): Promise<Opened> {
  const { automations } = inMemoryStorage({ search: false });
  const kept: Automation[] = [];
  return {
    automations,
    uncached: (query) => () => automations.list(query),
    peer: async ({ page, category }) => {
      const matching = kept.filter(({ categoryId }) => category === undefined || categoryId === category);
      return matching.slice(-page.number * page.limit, matching.length - (page.number - 1) * page.limit);
    },
    reopened: async () => automations,
    close: async () => undefined,
    async fill(batches) {
      for (const batch of batches) {
        kept.push(...batch);
        await automations.add(batch.map((automation) => ({ automation })));
      }
    },
  };
}

async function openSqlite(): Promise<Opened> {
  const file = join(temporaryFolder(), 'pages.db');
  const storage = await prepared(sqliteStorage(file, { search: false }));
  return overSql(storage, new SqliteConnection(file), async () => {
    const again = await prepared(sqliteStorage(file, { search: false }));
    return again.automations;
  });
}

async function openPostgres(): Promise<Opened> {
  const { url, schema } = await newPostgresPlace();
  const open = () => new pg.Pool({ connectionString: url, max: 10 });
  const pools = [open(), open()] as const;
  const storage = await prepared(postgresStorage(pools[0], { schema, search: false }));
  const connection = new PostgresConnection(pools[1], schema);
  const opened = overSql(storage, connection, async () => {
    const again = await prepared(postgresStorage(open(), { schema, search: false }));
    return again.automations;
  });
  return {
    ...opened,
    peer: sqlPeer((sql, values) => pools[1].query(sql, values), connection.dialect.prefix),
    settle: () => runSql(url, `VACUUM ANALYZE "${schema}".automations`, `VACUUM ANALYZE "${schema}".counts`),
    close: async () => Promise.all([opened.close(), ...pools.map((pool) => pool.end())]),
  };
}

function overSql(storage: Storage, connection: SqlConnection, reopened: Store['reopened']): Opened {
  return {
    automations: storage.automations,
    peer: sqlPeer(connection.query, connection.dialect.prefix),
    uncached(query) {
      const repository = new SqlAutomationRepository(connection, new RecordedCurrency(connection.dialect), false);
      return () => repository.list(query);
    },
    reopened,
    close: async () => Promise.all([storage.close(), connection.close()]),
  };
}

let server: Promise<ReplicaSet> | undefined;
let databases = 0;

/** The server keeps the keys of withdrawn automations for seconds; by default it does for five minutes. */
async function openMongo(): Promise<Opened> {
  const options = ['--setParameter', 'minSnapshotHistoryWindowInSeconds=5'];
  const { url } = await (server ??= ReplicaSet.start(1, 10_000, { cacheGb: 2, options }));
  const client = newPatientClient(url);
  const db = client.db(`pages-${(databases += 1)}`);
  const storage = mongoStorage(db, { search: false });
  const counted = new CountedList(db);
  return {
    automations: storage.automations,
    peer: mongoPeer(db),
    uncached(query) {
      const repository = new MongoAutomationRepository(db, { search: false }, counted);
      return () => repository.list(query);
    },
    reopened: async () => new MongoAutomationRepository(db, { search: false }),
    async fill(batches) {
      await fillMongo(db, offersIn(batches));
      await recount(db);
    },
    close: async () => {
      await storage.close();
      await client.close();
    },
  };
}

function* offersIn(batches: Iterable<readonly Automation[]>) {
  for (const batch of batches) yield batch.map((automation) => ({ automation }));
}

/** Ends the server that this process has started. */
export async function stopServers(): Promise<void> {
  await (await server)?.stop();
}
