import { MongoClient } from 'mongodb';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { mongoStorage, newMongoClient } from '../../adapters/mongodb/index.js';
import { postgresStorage } from '../../adapters/sql/postgresql/index.js';
import { sqliteStorage } from '../../adapters/sql/sqlite/index.js';
import type { Storage } from '../../domain/ports.js';
import { dropWithSessions } from './mongodb.js';
import { sharedMongo } from './mongo-storage.js';
import { newPostgresPlace } from './postgres.js';

/** A store that several processes open. As JSON, it can be the argument of a process. */
export type Place =
  | { readonly kind: 'SQLite'; readonly file: string }
  | { readonly kind: 'PostgreSQL'; readonly url: string; readonly schema: string }
  | { readonly kind: 'MongoDB'; readonly url: string; readonly database: string };

/** Opens the store. Its `close` also ends the connections. */
export function openPlace(place: Place): Storage {
  if (place.kind === 'SQLite') return sqliteStorage(place.file);
  if (place.kind === 'MongoDB') {
    const client = newMongoClient(place.url);
    return closing(mongoStorage(client.db(place.database)), () => client.close());
  }
  const pool = new pg.Pool({ connectionString: place.url, max: 10 });
  return closing(postgresStorage(pool, { schema: place.schema }), () => pool.end());
}

/** Returns an empty place: in a new folder, or on the server that the tests of this process share. */
export async function newPlace(kind: Place['kind']): Promise<Place> {
  if (kind === 'SQLite') return { kind, file: join(await mkdtemp(join(tmpdir(), 'store-')), 'store.sqlite') };
  if (kind === 'PostgreSQL') return { kind, ...(await newPostgresPlace()) };
  return { kind, url: await sharedMongo(), database: `store-${randomUUID()}` };
}

/** Removes the store. Nothing may have it open. A schema goes with its server. */
export async function removePlace(place: Place): Promise<void> {
  if (place.kind === 'SQLite') return rm(join(place.file, '..'), { recursive: true });
  if (place.kind === 'PostgreSQL') return;
  const client = new MongoClient(place.url);
  await dropWithSessions(client.db(place.database));
  await client.close();
}

function closing(storage: Storage, end: () => Promise<void>): Storage {
  const close = async () => {
    await storage.close();
    await end();
  };
  return { ...storage, close };
}
