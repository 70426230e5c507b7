import { randomUUID } from 'node:crypto';
import type { Db } from 'mongodb';
import { mongoStorage, newMongoClient, prepareMongo, type AnyDb } from '../../adapters/mongodb/index.js';
import { cachedStorage } from '../../adapters/storage/index.js';
import { ReplicaSet } from './replica-set.js';
import type { Storage } from '../../application/index.js';
import { monitored, unhurried } from './mongod.js';

let shared: Promise<string> | undefined;
/** Prepared, and in use by nobody: emptying one is quicker than making it. */
const idle: string[] = [];

/** One server for the whole process, which ends with it. */
export function sharedMongo(): Promise<string> {
  shared ??= startOrFind();
  return shared;
}

/** A connection string for a database of the shared server that nobody else uses. */
export async function newMongoUrl(): Promise<string> {
  const [address = '', query = ''] = (await sharedMongo()).split('?');
  return `${address.replace(/^([^:]+:\/\/[^/]+)\/?.*$/, '$1')}/test-${randomUUID()}?${query}`;
}

/** What a process is started with to serve from such a database. */
export async function newMongoSettings() {
  return { STORAGE: 'mongodb', MONGODB_URL: await newMongoUrl() };
}

/** Empty repositories in a database of their own, until they are closed. */
export async function openMongo() {
  const url = await sharedMongo();
  const client = newMongoClient(monitored(unhurried(url)));
  const name = idle.pop();
  const db = client.db(name ?? `test-${randomUUID()}`);
  if (name === undefined) await prepareMongo(db);
  return {
    db,
    ...overMongo(db, async () => {
      await empty(db);
      await client.close();
      idle.push(db.databaseName);
    }),
  };
}

/** Repositories in a database that there is, through a client of its own that goes when they are closed. */
export function joinMongo(url: string, name?: string) {
  const client = newMongoClient(unhurried(url));
  return overMongo(client.db(name), () => client.close());
}

/** Returns the storage in this database, with the caches that the service puts around it. */
function overMongo(db: Db, leave: () => Promise<void>): Storage {
  const storage = cachedStorage(mongoStorage(db));
  const close = async () => {
    await storage.close();
    await leave();
  };
  return { ...storage, close };
}

/**
 * Two clients of one empty database, each with repositories of its own; the database is free again when the first is
 * closed.
 */
export async function openTwoClients() {
  const first = await openMongo();
  return [first, joinMongo(await sharedMongo(), first.db.databaseName)] as const;
}

/** Empties a database, which stays prepared. */
export async function empty(database: AnyDb): Promise<void> {
  const db = database as Db;
  const collections = await db.listCollections({}, { nameOnly: true }).toArray();
  const others = collections.filter(({ name }) => name !== 'settings');
  await Promise.all(others.map(({ name }) => db.collection(name).deleteMany({})));
  await db.collection<{ _id: string }>('settings').deleteMany({ _id: { $ne: 'schema' } });
}

async function startOrFind(): Promise<string> {
  if (process.env['MONGODB_URL']) return process.env['MONGODB_URL'];
  const set = await ReplicaSet.start(1);
  set.leaveAlone();
  return set.url;
}
