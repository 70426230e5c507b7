import { newMongoClient, noteCurrency, ping, prepareMongo } from '../adapters/mongodb/index.js';
import { isRefusedUser } from '../adapters/mongodb/failures.js';
import { isStore } from '../adapters/mongodb/schema.js';
import { ConfigError, type Config } from './config.js';
import { mongoModule } from './mongo-module.js';
import { databaseIn } from './mongo-url.js';
import { MAKERS, type Storage } from './store.js';

const NO_STORE = `MONGODB_URL, or what MONGODB_URL_FILE names, must name a database with a store: there is none in this one. ${MAKERS}`;
const WRONG_USER = 'MONGODB_URL, or what MONGODB_URL_FILE names, must have the name and the password of a user who may read and write its database; the server refuses this one';

/** Loaded only when it is chosen: the driver alone takes longer to load than all the rest. */
export function mongoStorage({ mongodbUrl, keyCacheSeconds }: Config): Storage {
  const client = newMongoClient(mongodbUrl);
  const db = client.db(databaseIn(mongodbUrl));
  return {
    module: mongoModule(db, { seconds: keyCacheSeconds }),
    store: {
      noteCurrency: async (currency, missing) => {
        try {
          if (missing === 'refused' && !(await isStore(db))) throw new Error(NO_STORE);
          await prepareMongo(db);
          return await noteCurrency(db, currency);
        } catch (error) {
          throw refused(error);
        }
      },
      ping: () => ping(db),
      backup: () => Promise.reject(new Error('backup copies the SQLite store; MongoDB has mongodump for that')),
      close: () => client.close(),
    },
  };
}

/** Which the driver finds nothing wrong with, but the server does: a mistake that does not go away. */
function refused(error: unknown): unknown {
  return isRefusedUser(error) ? new ConfigError([WRONG_USER]) : error;
}
