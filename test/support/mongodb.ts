import { randomUUID } from 'node:crypto';
import type { Db, MongoClient } from 'mongodb';
import { newMongoClient, prepareMongo } from '../../adapters/mongodb/index.js';
import { sharedMongo } from './mongo-storage.js';
import { hasMongo, HOW, mongodBinary, unhurried } from './mongod.js';
import { notRun } from './not-run.js';

/**
 * Declares a suite that needs MongoDB: pending with one line where there is none, or failing with REQUIRE_MONGODB=1.
 */
export function describeMongo(title: string, suite: (url: () => string) => void): void {
  if (!hasMongo()) return void it(notRun(title, HOW));
  describe(title, () => {
    let url = '';
    before(async () => {
      url = await sharedMongo();
    });
    suite(() => url);
  });
}

/** As `describeMongo`, for suites that start mongods of their own. */
export function describeMongod(title: string, suite: (this: Mocha.Suite) => void): void {
  if (mongodBinary() !== undefined) describe(title, suite);
  else if (process.env['REQUIRE_MONGODB'] === '1')
    it(title, () => {
      throw new Error(HOW);
    });
  else it(notRun(title, HOW));
}

/** Databases of their own, prepared; dropped and closed by `release`. */
export class ScratchDatabases {
  readonly #clients: MongoClient[] = [];
  readonly #opened: Db[] = [];

  async open(url: string) {
    const client = newMongoClient(unhurried(url));
    this.#clients.push(client);
    const db = client.db(`test-${randomUUID()}`);
    this.#opened.push(db);
    await prepareMongo(db);
    return db;
  }

  /** The same database through a client of its own, as another process has it. */
  another(url: string, name: string): Db {
    const client = newMongoClient(unhurried(url));
    this.#clients.push(client);
    return client.db(name);
  }

  async release(): Promise<void> {
    for (const db of this.#opened.splice(0)) await dropWithSessions(db);
    for (const client of this.#clients.splice(0)) await client.close();
  }
}

/** Drops a database, also when a process was killed inside a transaction, which would keep it from being dropped. */
export async function dropWithSessions(db: Db): Promise<void> {
  const recorded = await db.collection('writing_sessions').find().toArray();
  if (recorded.length > 0) await db.command({ killSessions: recorded.map(({ _id }) => ({ id: _id })) });
  await db.dropDatabase();
}
