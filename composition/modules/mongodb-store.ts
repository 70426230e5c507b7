import type { Db } from 'mongodb';
import { newMongoClient, recordCurrency, ping, prepareMongo } from '../../adapters/mongodb/index.js';
import { isRefusedUser } from '../../adapters/mongodb/failures.js';
import { isStore } from '../../adapters/mongodb/schema.js';
import { ConfigError } from '../config/config.js';
import { databaseIn } from '../config/mongodb.js';
import { HOW_TO_CREATE, type Store } from '../service/store.js';

export { mongoModule } from './mongodb.js';

const NAMES = 'MONGODB_URL, or the content of MONGODB_URL_FILE,';
const NO_STORE = `${NAMES} must name a database with a store: there is none in this one. ${HOW_TO_CREATE}`;
const WRONG_USER =
  `${NAMES} must have the name and the password of a user who may read and write its database; ` +
  'the server refuses this one';

/**
 * Opens the store in MongoDB. This file is loaded only when it is used: the driver alone takes longer to load than
 * everything else.
 */
export function openMongoStore(url: string): { readonly store: Store; readonly db: Db } {
  const client = newMongoClient(url);
  const db = client.db(databaseIn(url));
  const store: Store = {
    recordCurrency: async (currency, ifMissing) => {
      try {
        if (ifMissing === 'refuse' && !(await isStore(db))) throw new Error(NO_STORE);
        await prepareMongo(db);
        return await recordCurrency(db, currency);
      } catch (error) {
        throw isRefusedUser(error) ? new ConfigError([WRONG_USER]) : error;
      }
    },
    ping: () => ping(db),
    backup: () => Promise.reject(new Error('backup copies the SQLite store; for MongoDB use mongodump')),
    close: () => client.close(),
  };
  return { store, db };
}
