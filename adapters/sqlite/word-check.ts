import { wordsOf } from '../../domain/search-terms.js';
import { codeOf, firstRow, prepareRows, type Connection } from './connection.js';
import { WORD_RULE } from './searches.js';

const ROWS_AT_ONCE = 1_000;

interface TextRow {
  readonly seq: number;
  readonly title: string;
  readonly description: string;
  readonly withdrawn_at: number | null;
}

/** What a check of the index of words found. */
export interface WordCheckResult {
  /** The numbers under which the index has other words than the automation. Those of withdrawn ones are negative. */
  readonly wrong: readonly number[];
  /** Whether the index has automations that it cannot remove, or lacks some of its own rows. */
  readonly isDamaged: boolean;
}

export type WordChecks = ReturnType<typeof wordChecksOf>;

/**
 * Compares the index of words with the automations, by a sum over the words of each. It reads one state of the store,
 * which takes minutes and some hundred MiB for a million automations.
 */
export function wordChecksOf(connection: Connection) {
  const rule = connection.prepare(`SELECT value FROM settings WHERE name = 'words'`).raw();
  return {
    checkWords(): WordCheckResult {
      const [recorded] = (firstRow(rule) as [string] | undefined) ?? [];
      if (recorded !== WORD_RULE) return { wrong: [], isDamaged: false };
      const actual = actualSums(connection);
      const stored = storedSums(connection);
      for (const number of numbersOf(connection, 'SELECT stale FROM unindexed WHERE stale IS NOT NULL')) {
        stored.delete(number);
        actual.delete(number);
      }
      const all = Array.from(new Set([...stored.keys(), ...actual.keys()]));
      const removable = new Set(numbersOf(connection, 'SELECT id FROM words_docsize'));
      return {
        wrong: all.filter((number) => (stored.get(number) ?? 0) !== (actual.get(number) ?? 0)),
        isDamaged: all.some((number) => !removable.has(number)),
      };
    },
  };
}

type Sums = Map<number, number>;

/** Returns the sums of the automations that the index has. */
function actualSums(connection: Connection): Sums {
  const read = prepareRows<TextRow>(
    connection,
    ['seq', 'title', 'description', 'withdrawn_at'],
    `FROM automations WHERE seq > ? AND seq NOT IN (SELECT seq FROM unindexed) ORDER BY seq LIMIT ${ROWS_AT_ONCE}`,
  );
  const sums: Sums = new Map();
  for (let rows = read(0); rows.length > 0; rows = read(rows.at(-1)?.seq ?? 0))
    for (const { seq, title, description, withdrawn_at: at } of rows) {
      const number = at === null ? seq : -seq;
      for (const word of wordsOf(title)) add(sums, number, hashOf('title', word));
      for (const word of wordsOf(description)) add(sums, number, hashOf('description', word));
    }
  return sums;
}

/** Returns the sums of what is in the index (https://sqlite.org/fts5.html#the_fts5vocab_virtual_table_module). */
function storedSums(connection: Connection): Sums {
  connection.exec(`CREATE VIRTUAL TABLE IF NOT EXISTS temp.word_columns USING fts5vocab('main', 'words', 'col')`);
  const words = wordsIn(connection);
  const find = connection.prepare('SELECT json_group_array(rowid) FROM words WHERE words MATCH ?').raw();
  const sums: Sums = new Map();
  for (const [word, column] of words) {
    const [numbers] = firstRow(find, [`{${column}} : "${word.replaceAll('"', '""')}"`]) as [string];
    for (const number of JSON.parse(numbers) as number[]) add(sums, number, hashOf(column, word));
  }
  return sums;
}

/** Returns the words of the index by column. If it is damaged, fts5vocab has the code of an unreadable page. */
function wordsIn(connection: Connection): readonly [word: string, column: string][] {
  try {
    return connection.prepare('SELECT term, col FROM temp.word_columns').raw().all() as [string, string][];
  } catch (error) {
    if (codeOf(error) !== 'SQLITE_CORRUPT') throw error;
    throw Object.assign(new Error('fts5: the words cannot be read', { cause: error }), { code: 'SQLITE_CORRUPT_VTAB' });
  }
}

function add(sums: Sums, number: number, hash: number): void {
  sums.set(number, ((sums.get(number) ?? 0) + hash) | 0);
}

/** Returns the hash FNV-1a of a word in a column. */
function hashOf(column: string, word: string): number {
  let hash = column === 'title' ? 0x811c9dc5 : 0x01000193;
  for (let index = 0; index < word.length; index += 1) hash = Math.imul(hash ^ word.charCodeAt(index), 0x01000193);
  return hash | 0;
}

function numbersOf(connection: Connection, sql: string): readonly number[] {
  return (connection.prepare(sql).raw().all() as [number][]).map(([number]) => number);
}
