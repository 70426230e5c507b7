import { isRefusedUser } from '../../adapters/mongodb/failures.js';
import { mongoStorage, newMongoClient } from '../../adapters/mongodb/index.js';
import { isStore } from '../../adapters/mongodb/schema.js';
import type { Config } from '../config/config.js';
import { databaseIn } from '../config/mongodb.js';
import { refusedBy, type Database, type OpenOptions } from './database.js';

/**
 * Returns the store in MongoDB. This file is loaded only when it is used: the driver alone takes longer to load than
 * everything else.
 */
export function mongoStore(
  { MONGODB_URL: url, SEARCH: search }: Config,
  { onError }: Pick<OpenOptions, 'onError'>,
): Database {
  const client = newMongoClient(url);
  const db = client.db(databaseIn(url));
  const storage = mongoStorage(db, { search, onError });
  const close = async () => {
    await storage.close();
    await client.close();
  };
  return {
    storage: { ...storage, close },
    setting: 'MONGODB_URL',
    place: `the database ${db.databaseName} of MONGODB_URL`,
    isStore: () => isStore(db),
    mistakeOf: (error) => (isRefusedUser(error) ? refusedBy('MongoDB') : undefined),
  };
}
