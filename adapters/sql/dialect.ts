import type { SearchTerms } from '../../domain/search-terms.js';
import type { Value } from './connection.js';

/** The types of columns. Times are milliseconds since 1970, as integers. */
export type ColumnType = 'text' | 'integer';

/** The differences between the SQL of two databases. */
export interface Dialect {
  /** What stands in front of the name of each table: the schema with a dot, or nothing. */
  readonly prefix: string;

  /** The type and the constraint of a primary key that rises with each row. */
  readonly identity: string;

  /** The name of a type in a table, compared byte by byte. */
  readonly types: Readonly<Record<ColumnType, string>>;

  /** What ends the definition of a table: of any, of one without another key than its own, of one with many updates. */
  readonly tables: Readonly<Record<'plain' | 'keyed' | 'updatedOften', string>>;

  /** An expression, another text whenever something may have been committed. It belongs to the state that is read. */
  readonly state: string;

  /** The statements that create the triggers that keep `counts`. */
  readonly countTriggers: readonly string[];

  readonly words: WordIndex;

  /** Returns a subquery with one column, the texts of a JSON list: `id IN ${listOf('$1')}`. */
  listOf(parameter: string): string;

  /**
   * Returns a subquery with the rows of a JSON list of objects, in its order, and their place in the column `ordinal`:
   * `SELECT id, at FROM ${rowsOf('$1', { id: 'text', at: 'integer' })} AS rows ORDER BY ordinal`.
   */
  rowsOf(parameter: string, columns: Readonly<Record<string, ColumnType>>): string;

  /** Returns whether an error says that a unique index has such a row. */
  isDuplicate(error: unknown): boolean;
}

/** A part of the matches: all of them, those whose title alone has all terms, or the others. */
export type MatchPart = 'all' | 'in-title' | 'not-in-title';

/**
 * The index of words of all automations, on sale or withdrawn. It is always there; it is empty, and stays so, unless
 * `settings` has the name `words`. A list of words is one JSON list of rows with `number`, `title` and `description`:
 * the words of each, joined by blanks.
 */
export interface WordIndex {
  /** The statements that create it. */
  readonly create: readonly string[];

  /** The statements that empty it. */
  readonly clear: readonly string[];

  /** The statements that store the list `$1` in place of earlier words. */
  readonly store: readonly string[];

  /** Notes that the automations whose numbers are the list `$1` of rows with `number` were withdrawn. */
  readonly withdraw: string;

  /** Finds the `number` of those in the list `$1` whose words are not the stored ones. */
  readonly differing: string;

  /** Deletes the words of automations that are not there, and returns a row for each. */
  readonly prune: string;

  /** A statement that rejects when the index is damaged; undefined where the database has none. */
  readonly verify?: string | undefined;

  /**
   * Returns where the matches are read: what follows FROM, with the table `a`. Its columns are `number`, and, unless
   * `numbersOnly`, those by which searches filter and sort.
   */
  source(options: { readonly numbersOnly: boolean; readonly isOnSale: boolean }): string;

  /** Returns the condition that an automation of the source matches `$1`, and the value for `$1`. */
  match(terms: SearchTerms, part: MatchPart): { readonly condition: string; readonly value: Value };
}
