import { MongoClient } from 'mongodb';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { mongoStorage, newMongoClient } from '../../../adapters/mongodb/index.js';
import { postgresStorage } from '../../../adapters/sql/postgresql/index.js';
import { sqliteStorage } from '../../../adapters/sql/sqlite/index.js';
import type { Storage } from '../../../domain/ports.js';

/** A store that several processes open: a file, or a schema or a database of a server. As JSON, it can be an argument. */
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

/** Returns an empty place in a new folder, or on this server. */
export async function newPlace(kind: Place['kind'], url = ''): Promise<Place> {
  const name = `store-${randomUUID()}`;
  if (kind === 'SQLite') return { kind, file: join(await mkdtemp(join(tmpdir(), 'store-')), 'store.sqlite') };
  if (kind === 'MongoDB') return { kind, url, database: name };
  const schema = name.replaceAll('-', '_');
  await onPostgres(url, `CREATE SCHEMA ${schema}`);
  return { kind, url, schema };
}

/** Removes the store. Nothing may have it open. */
export async function removePlace(place: Place): Promise<void> {
  if (place.kind === 'SQLite') return rm(join(place.file, '..'), { recursive: true });
  if (place.kind === 'PostgreSQL') return onPostgres(place.url, `DROP SCHEMA ${place.schema} CASCADE`);
  const client = new MongoClient(place.url);
  await client.db(place.database).dropDatabase();
  await client.close();
}

async function onPostgres(url: string, statement: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  await client.query(statement);
  await client.end();
}

function closing(storage: Storage, end: () => Promise<void>): Storage {
  const close = async () => {
    await storage.close();
    await end();
  };
  return { ...storage, close };
}
