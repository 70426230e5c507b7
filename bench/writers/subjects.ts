import { MongoClient } from 'mongodb';
import Libsql from 'libsql';
import pg from 'pg';
import type { AutomationDocument } from '../../adapters/mongodb/automation-documents.js';
import { documentOf } from '../../adapters/mongodb/automation-documents.js';
import type { Automation } from '../../domain/automation.js';
import { parseCurrency } from '../../domain/currency.js';
import { openPlace, type Place } from '../../test/support/place.js';

/** Stores automations one by one. */
export interface Subject {
  create(automation: Automation): Promise<unknown>;
  close(): Promise<unknown>;
}

const TABLE = `CREATE TABLE IF NOT EXISTS plain (id text PRIMARY KEY, title text, description text, price integer,
  currency text, category_id text, developer_id text, created_at bigint, updated_at bigint)`;
const INSERT = 'INSERT INTO plain VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)';

/** Creates as the service does, but for HTTP. */
export async function ours(place: Place): Promise<Subject> {
  const storage = openPlace(place);
  await storage.prepare({ currency: parseCurrency('USD') });
  return {
    create: (automation) => storage.automations.add([{ automation }]),
    close: () => storage.close(),
  };
}

/** One plain insert for each, as durable as ours, into a table or a collection with no other index. */
export async function plain(place: Place): Promise<Subject> {
  if (place.kind === 'SQLite') return plainSqlite(place.file);
  if (place.kind === 'PostgreSQL') return plainPostgres(place.url, place.schema);
  const client = new MongoClient(place.url, { writeConcern: { w: 'majority', journal: true } });
  await client.connect();
  const collection = client.db(place.database).collection<AutomationDocument>('plain');
  return {
    create: (automation) => collection.insertOne(documentOf({ automation }, 0)),
    close: () => client.close(),
  };
}

/** Makes an empty file with a journal in WAL mode: two writers cannot switch to it at the same time. */
export function newFile(file: string): string {
  const connection = new Libsql(file);
  connection.exec('PRAGMA journal_mode = WAL');
  connection.close();
  return file;
}

/** The driver blocks the thread, so callers do not overlap. */
function plainSqlite(file: string): Subject {
  const connection = new Libsql(file, { timeout: 5_000 });
  connection.exec(`PRAGMA synchronous = FULL; ${TABLE}`);
  const insert = connection.prepare(INSERT.replaceAll(/\$\d/g, '?'));
  return {
    create: async (automation) => insert.run(valuesOf(automation)),
    close: async () => connection.close(),
  };
}

async function plainPostgres(url: string, schema: string): Promise<Subject> {
  const pool = new pg.Pool({ connectionString: url, max: 10, options: `-c search_path=${schema}` });
  await pool.query('SELECT pg_advisory_lock(1)');
  await pool.query(TABLE);
  await pool.query('SELECT pg_advisory_unlock_all()');
  return {
    create: (automation) => pool.query(INSERT, valuesOf(automation)),
    close: () => pool.end(),
  };
}

function valuesOf({ price, ...automation }: Automation): (string | number)[] {
  const { id, title, description, categoryId, developerId, createdAt, updatedAt } = automation;
  const texts = [id, title, description, price.minorUnits, price.currency, categoryId, developerId];
  return [...texts, createdAt.getTime(), updatedAt.getTime()];
}
