import type { SearchTerms, Term } from '../../domain/search-terms.js';

/** What a statement gets. A list, or a list of rows, is one JSON text (`Dialect.listOf`, `Dialect.rowsOf`). */
export type Value = string | number | null;

/** The types of columns. Times are milliseconds since 1970, as integers. */
export type ColumnType = 'text' | 'integer';

/** Something that is derived from the automations, and can be made again. */
export interface DerivedObject {
  readonly kind: 'table' | 'index' | 'trigger' | 'function';
  readonly name: string;
  /** The statements that remove what is left of it and create it, empty. */
  readonly make: readonly string[];
}

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

  /** The triggers that keep `counts`. */
  readonly countTriggers: readonly DerivedObject[];

  /** A query for the names of the tables, indexes, triggers and functions that are there, in the column `name`. */
  readonly present: string;

  readonly words: WordIndex;

  /** A query that returns what is damaged in the files, in the column `damage`; undefined where there is none. */
  readonly findDamage?: string;

  /** Returns a subquery with one column, the texts of a JSON list: `id IN ${listOf('$1')}`. */
  readonly listOf: (parameter: string) => string;

  /**
   * Returns a subquery with the rows of a JSON list of objects, in its order, and their place in the column `ordinal`:
   * `SELECT id, at FROM ${rowsOf('$1', { id: 'text', at: 'integer' })} AS rows ORDER BY ordinal`.
   */
  readonly rowsOf: (parameter: string, columns: Readonly<Record<string, ColumnType>>) => string;

  /** Returns what follows the name of a table to read it by an index; nothing where the database chooses well. */
  readonly indexedBy: (index: string) => string;

  /**
   * The statement after which other transactions with the same text `$1` wait until this one ends; undefined where one
   * transaction writes at a time.
   */
  readonly lock?: string;

  /** What ends a SELECT whose rows no other transaction changes until this one ends. */
  readonly forUpdate: string;

  /** Returns a condition: a text contains another, byte by byte. */
  readonly contains: (text: string, part: string) => string;

  /** Returns whether an error says that a unique index has such a row. */
  readonly isDuplicate: (error: unknown) => boolean;
}

/** A part of the matches: those whose title has all terms of the one list, but not all of the other. */
export interface TitlePart {
  readonly has?: readonly Term[] | undefined;
  readonly hasNot?: readonly Term[] | undefined;
}

/**
 * The index of words of all automations, on sale or withdrawn. It is always there, but empty unless `settings` has the
 * name `words`. A list of words is a JSON list of rows with `id`, `title` and `description`, the words of each joined
 * by blanks, and `runs`. The first word of a title is its name.
 */
export interface WordIndex {
  /** What it consists of. The first is its table, `words`. */
  readonly objects: readonly DerivedObject[];

  /** What the damage of the index alone looks like in a message of the database. */
  readonly damage?: RegExp;

  /** A query that returns a row with `damage` when words that are in the index are not found by it. */
  readonly findDamage?: string;

  /** The statements that empty it. */
  readonly clear: readonly string[];

  /** Stores the list of words `$1` in place of earlier ones. */
  readonly store: string;

  /** The statements that note that the automations with the list of ids `$1` were withdrawn. */
  readonly withdraw: readonly string[];

  /** Finds the `id` of those in the list of words `$1` that the index has not, or has with other words. */
  readonly differing: string;

  /** Finds the words, each by a `number`, that belong to no automation. */
  readonly surplus: string;

  /** Deletes the words that `surplus` found: `$1` is a list of their numbers. */
  readonly remove: string;

  /**
   * Returns where some matches are read. The columns of the table `a` are `number` and,
   * unless `numbersOnly`, those by which searches filter and sort.
   */
  readonly matches: (wanted: SearchTerms, part: TitlePart, options: MatchOptions) => Source;
}

export interface MatchOptions {
  readonly isOnSale: boolean;
  readonly numbersOnly: boolean;
}

/** A condition for rows, in which `?` stands for its value. It does not count when its value is undefined. */
export type Condition = readonly [sql: string] | readonly [sql: string, value: Value | undefined];

/** What a search reads: what follows FROM, with the table `a`, and the conditions for its rows. */
export interface Source {
  readonly from: string;
  readonly conditions: readonly Condition[];
  /** The number of an automation, to sort by. */
  readonly number: string;
}
