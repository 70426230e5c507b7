import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { MongoMemoryReplSet } from 'mongodb-memory-server-core';
import type { Db, MongoClient } from 'mongodb';
import { newMongoClient, prepareMongo } from '../../adapters/mongodb/index.js';

const HOW =
  'MongoDB suites need a server: set MONGODB_URL to a replica set, or MONGOMS_SYSTEM_BINARY to a mongod, or put one on the PATH';

/** A mongod of this machine, if there is one. */
export function mongodBinary(): string | undefined {
  if (process.env['MONGOMS_SYSTEM_BINARY']) return process.env['MONGOMS_SYSTEM_BINARY'];
  try {
    return execFileSync('which', ['mongod'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return undefined;
  }
}

/** Declares a suite that needs MongoDB: pending with one line where there is none, or failing with REQUIRE_MONGODB=1. */
export function describeMongo(title: string, suite: (url: () => string) => void): void {
  describe(title, function () {
    let url = '';
    let started: MongoMemoryReplSet | undefined;
    before(async function () {
      this.timeout(60_000);
      if (process.env['MONGODB_URL']) url = process.env['MONGODB_URL'];
      else if (mongodBinary() !== undefined) url = (started = await startReplicaSet(1)).getUri();
      else if (process.env['REQUIRE_MONGODB'] === '1') throw new Error(HOW);
      else {
        console.log(`    ${HOW}`);
        this.skip();
      }
    });
    suite(() => url);
    after(async () => {
      await started?.stop();
    });
  });
}

/** As `describeMongo`, for suites that start mongods of their own. */
export function describeMongod(title: string, suite: (this: Mocha.Suite) => void): void {
  if (mongodBinary() !== undefined) describe(title, suite);
  else if (process.env['REQUIRE_MONGODB'] === '1')
    it(title, () => {
      throw new Error(HOW);
    });
  else it(`${title} (${HOW})`);
}

export function startReplicaSet(count: number): Promise<MongoMemoryReplSet> {
  return MongoMemoryReplSet.create({
    replSet: { count, storageEngine: 'wiredTiger', configSettings: { electionTimeoutMillis: 2_000 } },
    binary: { systemBinary: mongodBinary() ?? '', checkMD5: false },
  });
}

/** A database of its own, prepared; dropped and closed by `release`. */
export class ScratchDatabases {
  readonly #clients: MongoClient[] = [];

  async open(url: string) {
    const client = newMongoClient(url);
    this.#clients.push(client);
    const db = client.db(`test-${randomUUID()}`);
    await prepareMongo(db);
    return db;
  }

  /** The same database through a client of its own, as another process has it. */
  another(url: string, name: string): Db {
    const client = newMongoClient(url);
    this.#clients.push(client);
    return client.db(name);
  }

  async release(): Promise<void> {
    for (const client of this.#clients.splice(0)) await client.close();
  }
}
