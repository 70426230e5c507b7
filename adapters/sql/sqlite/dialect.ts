import type { SearchTerms, Term } from '../../../domain/search-terms.js';
import type { ColumnType, Condition, DerivedObject, Dialect, TitlePart, WordIndex } from '../dialect.js';
import { BLOCK_SIZES } from '../counts.js';
import { codeOf } from './failures.js';

/** SQLite drops no index that is damaged: its constructor fails. So its entry is removed, and then its own tables. */
const REMOVE_WORDS = [
  'PRAGMA writable_schema = ON',
  "DELETE FROM sqlite_schema WHERE type = 'table' AND name = 'words'",
  'PRAGMA writable_schema = RESET',
  ...['data', 'idx', 'content', 'docsize', 'config'].map((part) => `DROP TABLE IF EXISTS words_${part}`),
];

/** The SQL of SQLite. Tables are `STRICT` (https://sqlite.org/stricttables.html). */
export const SQLITE: Dialect = {
  prefix: '',
  identity: 'INTEGER PRIMARY KEY',
  types: { text: 'TEXT', integer: 'INTEGER' },
  tables: { plain: ' STRICT', keyed: ' STRICT, WITHOUT ROWID', updatedOften: ' STRICT, WITHOUT ROWID' },
  state: `(SELECT data_version FROM pragma_data_version) || ' ' || total_changes()`,
  countTriggers: [
    countTrigger('inserted', 'INSERT ON automations', [['new', 1]]),
    countTrigger('deleted', 'DELETE ON automations', [['old', -1]]),
    countTrigger('updated', 'UPDATE OF number, category_id, withdrawn_at ON automations', [
      ['old', -1],
      ['new', 1],
    ]),
  ],
  present: 'SELECT name FROM sqlite_schema',
  words: wordIndex(),
  findDamage: `SELECT integrity_check AS damage FROM pragma_integrity_check(10) WHERE integrity_check <> 'ok'`,
  listOf: (parameter) => `(SELECT value FROM json_each(${parameter}))`,
  rowsOf,
  forUpdate: '',
  contains: (text, part) => `instr(${text}, ${part}) > 0`,
  indexedBy: (index) => ` INDEXED BY ${index}`,
  isDuplicate: (error) => /^SQLITE_CONSTRAINT_(UNIQUE|PRIMARYKEY|ROWID)$/.test(codeOf(error)),
};

function rowsOf(parameter: string, columns: Readonly<Record<string, ColumnType>>): string {
  const values = Object.keys(columns).map((name) => `value ->> '${name}' AS ${name}`);
  return `(SELECT key AS ordinal, ${values.join(', ')} FROM json_each(${parameter}))`;
}

type Change = readonly [row: 'old' | 'new', change: 1 | -1];

/** Returns a trigger for each row, which counts it in or out if it is on sale. */
function countTrigger(name: string, event: string, changes: readonly Change[]): DerivedObject {
  const count = ([row, change]: Change) => `
    INSERT INTO counts (size, category_id, block, on_sale)
    SELECT size, category, ${row}.number / size, ${change}
    FROM (SELECT ${BLOCK_SIZES.small} AS size UNION ALL SELECT ${BLOCK_SIZES.large}),
      (SELECT '' AS category UNION ALL SELECT ${row}.category_id)
    WHERE ${row}.withdrawn_at IS NULL
    ON CONFLICT DO UPDATE SET on_sale = on_sale + excluded.on_sale;`;
  const create = `CREATE TRIGGER count_${name} AFTER ${event} BEGIN ${changes.map(count).join('')} END`;
  return { kind: 'trigger', name: `count_${name}`, make: [`DROP TRIGGER IF EXISTS count_${name}`, create] };
}

/**
 * Returns the index of words in SQLite (https://sqlite.org/fts5.html). It keeps its texts, which have been cut into
 * words and joined by blanks: the tokenizer cuts only there. The rowid is the number of the automation,
 * negative when that is withdrawn. A row is never given another rowid, since a conflict would damage the index.
 */
function wordIndex(): WordIndex {
  const given = `${rowsOf('$1', { id: 'text', title: 'text', description: 'text', runs: 'text' })} AS given`;
  const rowid = 'iif(a.withdrawn_at IS NULL, a.number, -a.number)';
  const withdrawn = '(SELECT number FROM automations WHERE id IN (SELECT value FROM json_each($1)))';
  const create = `CREATE VIRTUAL TABLE words USING fts5(title, description, runs UNINDEXED, detail = column,
    tokenize = "ascii tokenchars '=#+'")`;
  const make = [...REMOVE_WORDS, create];
  return {
    objects: [{ kind: 'table', name: 'words', make }],
    damage: /fts5|vtable constructor failed: words/i,
    findDamage: `SELECT 'it does not find what it has' AS damage
      FROM (SELECT rowid AS number, substr(description, 1, instr(description || ' ', ' ') - 1) AS word
        FROM words ORDER BY rowid DESC LIMIT 100) AS newest
      WHERE word <> '' AND NOT EXISTS (SELECT 1 FROM words
        WHERE words MATCH '{description} : "' || newest.word || '"' AND words.rowid = newest.number) LIMIT 1`,
    clear: make,
    store: `INSERT OR REPLACE INTO words (rowid, title, description, runs)
      SELECT ${rowid}, given.title, given.description, given.runs
      FROM ${given} CROSS JOIN automations AS a ON a.id = given.id
      WHERE EXISTS (SELECT 1 FROM settings WHERE name = 'words')`,
    withdraw: [
      `INSERT OR REPLACE INTO words (rowid, title, description, runs)
       SELECT -rowid, title, description, runs FROM words WHERE rowid IN ${withdrawn}`,
      `DELETE FROM words WHERE rowid IN ${withdrawn}`,
    ],
    differing: `SELECT a.id FROM ${given} CROSS JOIN automations AS a ON a.id = given.id
      LEFT JOIN words ON words.rowid = ${rowid}
      WHERE words.title IS NOT given.title OR words.description IS NOT given.description
        OR words.runs IS NOT given.runs`,
    surplus: `SELECT words.rowid AS number FROM words WHERE NOT EXISTS (SELECT 1 FROM automations AS a
      WHERE a.number = abs(words.rowid) AND (a.withdrawn_at IS NULL) = (words.rowid > 0))`,
    remove: 'DELETE FROM words WHERE rowid IN (SELECT value FROM json_each($1))',
    matches(wanted, part, { isOnSale, numbersOnly }) {
      const conditions: readonly Condition[] = [
        ['words MATCH ?', expressionOf(wanted, part)],
        ...wanted.runs.map((run) => ['instr(words.runs, ?) > 0', run] as const),
        ...(isOnSale ? ([['words.rowid > 0']] as const) : []),
      ];
      if (isOnSale && numbersOnly) return { conditions, from: 'words', number: 'words.rowid' };
      const index = isOnSale ? 'INDEXED BY on_sale ON a.withdrawn_at IS NULL AND' : 'ON';
      const from = `words CROSS JOIN automations AS a ${index} a.number = ${isOnSale ? '' : 'abs'}(words.rowid)`;
      return { conditions, from, number: isOnSale ? 'words.rowid' : 'a.number' };
    },
  };
}

/** Returns a query of the index (https://sqlite.org/fts5.html#full_text_query_syntax). */
function expressionOf({ terms }: SearchTerms, { has, hasNot }: TitlePart): string {
  const allOf = (some: readonly Term[]) =>
    `(${some.map(({ text, isBeginning }) => `"${text}"${isBeginning ? ' *' : ''}`).join(' AND ')})`;
  const found = has === undefined ? allOf(terms) : `({title} : ${allOf(has)})`;
  return hasNot === undefined ? found : `${found} NOT ({title} : ${allOf(hasNot)})`;
}
