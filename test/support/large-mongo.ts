import type { Db, MongoClient } from 'mongodb';
import { collectionsOf } from '../../adapters/mongodb/collections.js';
import { documentOf } from '../../adapters/mongodb/automation-documents.js';
import { mongoStorage, newMongoClient, prepareMongo } from '../../adapters/mongodb/index.js';
import type { NewAutomation } from '../../domain/ports.js';

/** A large store is filled and counted for longer than a service waits. */
const PATIENCE = '&socketTimeoutMS=600000&waitQueueTimeoutMS=600000&serverSelectionTimeoutMS=60000';

/** Returns a client for a URL with options. The limits of each command of the repositories stay. */
export function newPatientClient(url: string): MongoClient {
  return newMongoClient(`${url}${PATIENCE}`);
}

/** Writes automations without words, past the repository, which would take minutes. They are not counted yet. */
export async function fillMongo(db: Db, batches: Iterable<readonly NewAutomation[]>): Promise<void> {
  await prepareMongo(db, { search: false });
  const { automations, counters } = collectionsOf(db);
  let seq = 0;
  for (const batch of batches) {
    const documents = batch.map((offer) => documentOf(offer, seq++));
    await automations.insertMany(documents, { ordered: false });
  }
  await counters.updateOne({ _id: 'automations' }, { $set: { next: seq } }, { upsert: true });
}

/** Counts all automations again. */
export async function recount(db: Db): Promise<void> {
  const storage = mongoStorage(db, { search: false });
  await storage.check({ repair: true });
  await storage.close();
}
