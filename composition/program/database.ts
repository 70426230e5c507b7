import type { IfMissing } from '../../adapters/cli/index.js';
import type { Storage } from '../../domain/ports.js';
import { ConfigError } from '../config/config.js';

/** How a store is opened. */
export interface OpenOptions {
  /** `create` by default. */
  readonly ifMissing?: IfMissing | undefined;
  /** Is told where a store is made that was missing. */
  readonly onNew?: ((place: string) => void) | undefined;
  /** Gets each failure of the store's work in the background. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/** A storage in a database server. It connects when it is used. */
export interface Database {
  readonly storage: Storage;
  /** The setting with the connection string. */
  readonly setting: 'POSTGRES_URL' | 'MONGODB_URL';
  /** The database or its schema, for people. */
  readonly place: string;
  isStore(): Promise<boolean>;
  /** Returns what the setting must have, after a failure that only another connection string ends. */
  mistakeOf(error: unknown): string | undefined;
}

/** Returns what is wrong with a connection string whose user the server does not let in. */
export function refusedBy(server: string): string {
  return `is wrong: ${server} refuses this user or password`;
}

/** Returns the storage. @throws Error for people when there is no store and none may be made. */
export async function openDatabase(database: Database, { ifMissing, onNew }: OpenOptions): Promise<Storage> {
  const { storage, place } = database;
  const noStore = `${namesOf(database)} must name a database with a store: there is none in ${place}`;
  try {
    if (ifMissing === 'refuse' || onNew)
      tellIfMissing(await naming(database, database.isStore()), place, noStore, { ifMissing, onNew });
  } catch (error) {
    await storage.close();
    throw error;
  }
  return { ...storage, prepare: (options) => naming(database, storage.prepare(options)) };
}

/** @throws Error with the sentence `noStore` when there is no store and none may be made. */
export function tellIfMissing(
  isThere: boolean,
  place: string,
  noStore: string,
  { ifMissing, onNew }: OpenOptions,
): void {
  if (isThere) return;
  if (ifMissing === 'refuse')
    throw new Error(`${noStore}. The service makes one, as do keys issue, developers invite and categories import.`);
  onNew?.(place);
}

/** @throws ConfigError for what only another connection string ends. */
async function naming<Result>(database: Database, work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    const mistake = database.mistakeOf(error);
    throw mistake === undefined ? error : new ConfigError([`${namesOf(database)} ${mistake}`]);
  }
}

function namesOf({ setting }: Database): string {
  return `${setting}, or the content of ${setting}_FILE,`;
}
