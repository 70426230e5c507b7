import { isRefusedUser } from '../../adapters/mongodb/failures.js';
import { mongoStorage, newMongoClient } from '../../adapters/mongodb/index.js';
import { isStore } from '../../adapters/mongodb/schema.js';
import type { Storage } from '../../domain/ports.js';
import { ConfigError, type Config } from '../config/config.js';
import { databaseIn } from '../config/mongodb.js';
import { HOW_TO_CREATE, type OpenOptions } from './store.js';

const NAMES = 'MONGODB_URL, or the content of MONGODB_URL_FILE,';
const NO_STORE = `${NAMES} must name a database with a store: there is none in this one. ${HOW_TO_CREATE}`;
const WRONG_USER =
  `${NAMES} must have the name and the password of a user who may read and write its database; ` +
  'the server refuses this one';

/**
 * Opens the store in MongoDB. This file is loaded only when it is used: the driver alone takes longer to load than
 * everything else.
 */
export async function openMongoStore(
  { mongodbUrl, search }: Config,
  { ifMissing, onNew, onError }: OpenOptions,
): Promise<Storage> {
  const client = newMongoClient(mongodbUrl);
  const db = client.db(databaseIn(mongodbUrl));
  const storage = mongoStorage(db, { search, onError });
  const close = async () => {
    await storage.close();
    await client.close();
  };
  try {
    if ((ifMissing === 'refuse' || onNew) && !(await namingUser(isStore(db)))) {
      if (ifMissing === 'refuse') throw new Error(NO_STORE);
      onNew?.(`the database ${db.databaseName} of MONGODB_URL`);
    }
  } catch (error) {
    await close();
    throw error;
  }
  return {
    ...storage,
    prepare: (settings) => namingUser(storage.prepare(settings)),
    close,
  };
}

/** @throws ConfigError when the server refuses the user. */
async function namingUser<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    throw isRefusedUser(error) ? new ConfigError([WRONG_USER]) : error;
  }
}
