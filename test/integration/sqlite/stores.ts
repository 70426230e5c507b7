import Libsql from 'libsql';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { prepareSqlite, SqliteDatabase, sqliteStorage } from '../../../adapters/sqlite/index.js';
import type { SqliteSettings, SqliteStorage } from '../../../adapters/sqlite/index.js';
import { USD } from '../../contracts/offers.js';

/** Does with a file what no process of ours does. */
export function byHand(file: string, sql: string): void {
  const hand = new Libsql(file, { timeout: 5_000 });
  hand.exec(sql);
  hand.close();
}

/** Waits until the index of words is at rest: it has all but some that are too few to be stored. */
export async function untilIndexed(file: string): Promise<void> {
  const hand = new Libsql(file, { timeout: 5_000 });
  const waiting = hand.prepare('SELECT count(*) FROM unindexed').raw();
  while ((waiting.get() as [number])[0] >= 128) await setTimeout(10);
  hand.close();
}

/** What a suite opens, and closes after each of its tests. */
export class Stores {
  readonly #opened: { close(): Promise<void> }[] = [];
  readonly #folders: string[] = [];

  /** Returns the path of a file that does not exist yet. */
  newFile(): string {
    const folder = mkdtempSync(join(tmpdir(), 'marketplace-sqlite-'));
    this.#folders.push(folder);
    return join(folder, 'marketplace.db');
  }

  database(file = ':memory:'): SqliteDatabase {
    return this.#keep(new SqliteDatabase(file));
  }

  /** Opens a file, prepared. */
  async prepared(file: string): Promise<SqliteDatabase> {
    const database = this.database(file);
    await prepareSqlite(database, { currency: USD });
    return database;
  }

  storage(file = ':memory:', settings: SqliteSettings = {}): SqliteStorage {
    return this.#keep(sqliteStorage(file, settings));
  }

  async close(): Promise<void> {
    await Promise.all(this.#opened.splice(0).map((each) => each.close()));
    for (const folder of this.#folders.splice(0)) rmSync(folder, { recursive: true });
  }

  #keep<Opened extends { close(): Promise<void> }>(opened: Opened): Opened {
    this.#opened.push(opened);
    return opened;
  }
}
