import type { IfMissing } from '../../adapters/cli/index.js';
import { isRefusedUser } from '../../adapters/mongodb/failures.js';
import { mongoStorage, newMongoClient, type MongoStorageSettings } from '../../adapters/mongodb/index.js';
import { isStore } from '../../adapters/mongodb/schema.js';
import type { Storage } from '../../domain/ports.js';
import { ConfigError } from '../config/config.js';
import { databaseIn } from '../config/mongodb.js';
import { HOW_TO_CREATE } from './store.js';

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
  url: string,
  ifMissing: IfMissing,
  settings: Pick<MongoStorageSettings, 'search' | 'onError'>,
): Promise<Storage> {
  const client = newMongoClient(url);
  const db = client.db(databaseIn(url));
  const storage = mongoStorage(db, settings);
  const close = async () => {
    await storage.close();
    await client.close();
  };
  try {
    if (ifMissing === 'refuse' && !(await namingUser(isStore(db)))) throw new Error(NO_STORE);
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
