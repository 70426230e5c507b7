import type { CatalogueSearch, SearchPage, SearchQuery } from '../../domain/ports.js';
import { searchFailure } from '../../domain/search-failure.js';
import type { SqliteDatabase } from './database.js';

/**
 * Finds automations in SQLite, in a thread of its own. Words are found by an index (https://sqlite.org/fts5.html) that
 * is a little behind: each search compares by itself what the index has not got yet.
 */
export class SqliteCatalogueSearch implements CatalogueSearch {
  /** Uses an open database and does not close it. */
  constructor(private readonly database: SqliteDatabase) {}

  async search(query: SearchQuery): Promise<SearchPage> {
    const { words } = this.database;
    if (query.terms === undefined) return this.database.search(query);
    if (words === undefined) throw searchFailure('search-off');
    await words.begin();
    try {
      return await this.database.search(query);
    } catch (error) {
      if (isIncomplete(error)) await words.resume();
      else if (!(await words.renewAfter(error))) throw error;
      throw searchFailure('search-incomplete', { cause: error });
    }
  }
}

function isIncomplete(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'search-incomplete';
}
