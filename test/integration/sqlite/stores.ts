import Libsql from 'libsql';
import { copyFileSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { sqliteStorage, type SqliteSettings, type SqliteStorage } from '../../../adapters/sql/sqlite/index.js';
import { USD } from '../../contracts/offers.js';
import { newSqliteFile } from '../../support/sqlite-file.js';

/** Does with a file what no process of ours does. */
export function byHand(file: string, sql: string): void {
  const hand = new Libsql(file, { timeout: 5_000 });
  hand.exec(sql);
  hand.close();
}

/** Returns the first column of the rows of a query. */
export function readByHand(file: string, sql: string): readonly unknown[] {
  const hand = new Libsql(file, { timeout: 5_000 });
  const rows = hand.prepare(sql).raw().all() as unknown[][];
  hand.close();
  return rows.map(([first]) => first);
}

/** Waits until the index of words is complete. */
export async function untilComplete(file: string): Promise<void> {
  while (readByHand(file, `SELECT value FROM settings WHERE name = 'wordsUpTo'`).length > 0) await setTimeout(10);
}

/** What a suite opens, and closes after each of its tests. */
export class Stores {
  readonly #opened: { close(): Promise<void> }[] = [];
  readonly #files: string[] = [];

  /** Returns the path of a file that does not exist yet. */
  newFile(): string {
    const file = newSqliteFile();
    this.#files.push(file);
    return file;
  }

  /** Returns the path of a copy of a closed store, which is quicker than to fill another one. */
  copyOf(store: string): string {
    const file = this.newFile();
    copyFileSync(store, file);
    return file;
  }

  storage(file = this.newFile(), settings: SqliteSettings = {}): SqliteStorage {
    return this.keep(sqliteStorage(file, settings));
  }

  /** Opens a file, prepared. */
  async prepared(file = this.newFile(), settings: SqliteSettings = {}): Promise<SqliteStorage> {
    const storage = this.storage(file, settings);
    await storage.prepare({ currency: USD });
    return storage;
  }

  keep<Opened extends { close(): Promise<void> }>(opened: Opened): Opened {
    this.#opened.push(opened);
    return opened;
  }

  async close(): Promise<void> {
    await Promise.all(this.#opened.splice(0).map((each) => each.close()));
    for (const file of this.#files.splice(0)) rmSync(dirname(file), { recursive: true });
  }
}
