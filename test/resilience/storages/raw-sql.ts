import Libsql from 'libsql';
import pg from 'pg';
import type { Place } from '../../support/place.js';

/** The tables of a relational store, as somebody edits them by hand: no trigger follows. */
export interface RawSql {
  /** Runs statements in one transaction. `{p}` is what stands in front of the name of a table. */
  run(...statements: readonly string[]): Promise<void>;
  /** Returns the rows of a statement. */
  rows(statement: string): Promise<readonly Readonly<Record<string, unknown>>[]>;
  close(): Promise<void>;
}

/** Opens the tables of a store in SQLite or PostgreSQL. */
export function openRaw(place: Place): RawSql {
  if (place.kind === 'SQLite') return rawSqlite(place.file);
  if (place.kind === 'PostgreSQL') return rawPostgres(place.url, place.schema);
  throw new Error('MongoDB has no tables');
}

/** SQLite cannot switch triggers off, so they are dropped and created again. */
function rawSqlite(file: string): RawSql {
  const connection = new Libsql(file, { timeout: 5_000 });
  const named = (statement: string) => statement.replaceAll('{p}', '');
  return {
    async run(...statements) {
      const triggers = connection.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").all();
      const made = triggers as readonly { readonly name: string; readonly sql: string }[];
      connection.exec('BEGIN IMMEDIATE');
      for (const { name } of made) connection.exec(`DROP TRIGGER ${name}`);
      for (const statement of statements) connection.exec(named(statement));
      for (const { sql } of made) connection.exec(sql);
      connection.exec('COMMIT');
    },
    async rows(statement) {
      return connection.prepare(named(statement)).all() as readonly Readonly<Record<string, unknown>>[];
    },
    async close() {
      connection.close();
    },
  };
}

function rawPostgres(url: string, schema: string): RawSql {
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  const named = (statement: string) => statement.replaceAll('{p}', `"${schema}".`);
  return {
    async run(...statements) {
      const all = ['SET LOCAL session_replication_role = replica', ...statements.map(named)];
      await pool.query(['BEGIN', ...all, 'COMMIT'].join(';\n'));
    },
    async rows(statement) {
      return (await pool.query<Record<string, unknown>>(named(statement))).rows;
    },
    close: () => pool.end(),
  };
}
