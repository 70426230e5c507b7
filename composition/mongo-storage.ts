import { newMongoClient, noteCurrency, ping, prepareMongo } from '../adapters/mongodb/index.js';
import { ConfigError, type Config } from './config.js';
import { mongoModule } from './mongo-module.js';
import type { Storage } from './store.js';

const USUAL_DATABASE = 'automation-marketplace';

/** Loaded only when it is chosen: the driver alone takes longer to load than all the rest. */
export function mongoStorage({ mongodbUrl, keyCacheSeconds }: Config): Storage {
  const client = openClient(mongodbUrl);
  const db = client.db(databaseOf(mongodbUrl));
  return {
    module: mongoModule(db, { seconds: keyCacheSeconds }),
    store: {
      noteCurrency: async (currency) => {
        await prepareMongo(db);
        return noteCurrency(db, currency);
      },
      ping: () => ping(db),
      backup: () => Promise.reject(new Error('backup copies the SQLite store; MongoDB has mongodump for that')),
      close: () => client.close(),
    },
  };
}

/** What the driver has to say may have the password in it. */
function openClient(url: string) {
  try {
    return newMongoClient(url);
  } catch {
    throw new ConfigError(['MONGODB_URL, or what MONGODB_URL_FILE names, must be a connection string that the driver takes; it refuses this one']);
  }
}

/** The one that the connection string names (https://www.mongodb.com/docs/manual/reference/connection-string/). */
function databaseOf(url: string): string {
  return /^[^:]+:\/\/[^/]*\/([^?]+)/.exec(url)?.[1] ?? USUAL_DATABASE;
}
