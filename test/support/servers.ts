import type { Storage } from '../../application/index.js';
import { joinMongo, newMongoSettings } from './mongo-storage.js';
import { hasMongo } from './mongod.js';
import { joinPostgres, newPostgresSettings } from './postgres-storage.js';
import { hasPostgres } from './postgres.js';
import type { Settings } from './process.js';

/** A database with a server. */
export interface Server {
  /** Returns what a process is started with to serve from an empty store that no other test uses. */
  readonly newSettings: () => Promise<Settings>;

  /** Opens the store of such settings, by connections that end with `close`. */
  readonly join: (settings: Settings) => Storage;
}

/** The databases with a server that this machine has. */
export const SERVERS: Readonly<Record<string, Server>> = {
  ...(hasPostgres() && { PostgreSQL: { newSettings: newPostgresSettings, join: joinPostgres } }),
  ...(hasMongo() && {
    MongoDB: { newSettings: newMongoSettings, join: ({ MONGODB_URL = '' }) => joinMongo(MONGODB_URL) },
  }),
};

/** What a process is started with to serve from an empty store of each storage. */
export const SETTINGS: Readonly<Record<string, () => Promise<Settings>>> = {
  SQLite: () => Promise.resolve({}),
  ...Object.fromEntries(Object.entries(SERVERS).map(([name, { newSettings }]) => [name, newSettings])),
};
