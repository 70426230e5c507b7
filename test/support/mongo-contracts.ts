import { randomUUID } from 'node:crypto';
import type { MongoClient } from 'mongodb';
import { mongoStorage, newMongoClient, prepareMongo, type MongoStorage } from '../../adapters/mongodb/index.js';
import type { SubjectsOfContracts } from './every-contract.js';
import { empty } from './mongo-storage.js';
import { unhurried } from './mongod.js';

/** Returns what the contract suites run over: stores on the server. */
export function mongoSubjects(url: () => string): SubjectsOfContracts {
  let clients: readonly MongoClient[] = [];
  const name = `test-${randomUUID()}`;
  before(async () => {
    clients = [newMongoClient(unhurried(url())), newMongoClient(unhurried(url()))];
    for (const client of clients) await prepareMongo(client.db(name));
  });
  after(async () => {
    await clients[0]?.db(name).dropDatabase();
    for (const client of clients) await client.close();
  });

  let open: readonly MongoStorage[] = [];
  /**
   * Two storages over one empty store, each through a client of its own. To empty a store is quicker than to make one.
   */
  const handles = async (): Promise<readonly [MongoStorage, MongoStorage]> => {
    for (const storage of open) await storage.close();
    const [one, other] = clients.map((client) => client.db(name));
    if (one === undefined || other === undefined) throw new Error('there is no client');
    await empty(one);
    const pair = [mongoStorage(one), mongoStorage(other)] as const;
    open = pair;
    return pair;
  };
  return {
    empty: async () => (await handles())[0],
    /** Without the version of the schema, a database is as one that was never prepared. */
    unprepared: async () => {
      const pair = await handles();
      await clients[0]?.db(name).collection<{ _id: string }>('settings').deleteOne({ _id: 'schema' });
      return pair;
    },
  };
}
