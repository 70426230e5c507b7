/** The types of columns. Times are milliseconds since 1970, as integers. */
export type ColumnType = 'text' | 'integer';

/** The index of words: how it is made, and how it is asked. */
export interface WordIndex {
  /** The statements that create it, empty, and those that drop it. */
  readonly create: readonly string[];
  readonly drop: readonly string[];

  /**
   * Statements that store the words of automations in place of earlier ones. `$1` is a list of rows with `number`,
   * `title` and `description`: the words of each, joined by blanks.
   */
  readonly store: readonly string[];
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

  /** The statements that create the triggers that keep `counts`. */
  readonly countTriggers: readonly string[];

  /** The index of words. */
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
