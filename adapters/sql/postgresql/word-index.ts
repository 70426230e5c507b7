import type { Term } from '../../../domain/search-terms.js';
import type { Dialect, WordIndex } from '../dialect.js';

/**
 * Returns the index of words in PostgreSQL: a table with the words of title and description, those of the title alone,
 * the runs, and the columns by which searches filter and sort. Words are compared as they are, without the rules of a
 * language.
 */
export function wordIndex({
  prefix: p,
  rowsOf,
  listOf,
  types,
}: Pick<Dialect, 'prefix' | 'rowsOf' | 'listOf' | 'types'>): WordIndex {
  const given = rowsOf('$1', { id: 'text', title: 'text', description: 'text', runs: 'text' });
  const vector = (text: string) => `array_to_tsvector(string_to_array(${text}, ' '))`;
  const title = vector('given.title');
  const words = `${title} || ${vector('given.description')}`;
  const columns = 'number, category_id, developer_id, price, withdrawn_at, title, words, runs';
  return {
    create: [
      `CREATE TABLE ${p}words (
        number ${types.integer} PRIMARY KEY,
        category_id ${types.text} NOT NULL,
        developer_id ${types.text} NOT NULL,
        price ${types.integer} NOT NULL,
        withdrawn_at ${types.integer},
        title tsvector NOT NULL,
        words tsvector NOT NULL,
        runs ${types.text} NOT NULL
      )`,
      `CREATE INDEX words_by_word ON ${p}words USING gin (words) WITH (gin_pending_list_limit = 256)`,
    ],
    clear: [`TRUNCATE ${p}words`],
    store: `INSERT INTO ${p}words (${columns})
      SELECT a.number, a.category_id, a.developer_id, a.price, a.withdrawn_at, ${title}, ${words}, given.runs
      FROM ${given} AS given JOIN ${p}automations AS a ON a.id = given.id
      WHERE EXISTS (SELECT 1 FROM ${p}settings WHERE name = 'words') ORDER BY a.number
      ON CONFLICT (number) DO UPDATE SET category_id = excluded.category_id, price = excluded.price,
        developer_id = excluded.developer_id, withdrawn_at = excluded.withdrawn_at,
        title = excluded.title, words = excluded.words, runs = excluded.runs`,
    withdraw: [
      `UPDATE ${p}words AS w SET withdrawn_at = a.withdrawn_at
       FROM ${p}automations AS a WHERE a.id IN ${listOf('$1')} AND w.number = a.number`,
    ],
    differing: `SELECT a.id FROM ${given} AS given JOIN ${p}automations AS a ON a.id = given.id
      LEFT JOIN ${p}words AS w ON w.number = a.number
      WHERE (w.title, w.words, w.runs, w.category_id, w.developer_id, w.price, w.withdrawn_at) IS DISTINCT FROM
        (${title}, ${words}, given.runs, a.category_id, a.developer_id, a.price, a.withdrawn_at)`,
    surplus: `SELECT w.number FROM ${p}words AS w
      WHERE NOT EXISTS (SELECT 1 FROM ${p}automations AS a WHERE a.number = w.number)`,
    remove: `DELETE FROM ${p}words
      WHERE number IN (SELECT CAST(given AS bigint) FROM jsonb_array_elements_text($1::jsonb) AS given)`,
    matches({ terms, runs }, { has, hasNot }, { isOnSale }) {
      const values: string[] = [];
      const place = (value: string) => `$${values.push(value)}`;
      const conditions = [
        `a.words @@ ${place(queryOf(terms))}::tsquery`,
        ...(has === undefined ? [] : [`a.title @@ ${place(queryOf(has))}::tsquery`]),
        ...(hasNot === undefined ? [] : [`NOT a.title @@ ${place(queryOf(hasNot))}::tsquery`]),
        ...runs.map((run) => `strpos(a.runs, ${place(run)}) > 0`),
        ...(isOnSale ? ['a.withdrawn_at IS NULL'] : []),
      ];
      return { from: `${p}words AS a`, condition: conditions.join(' AND '), values, number: 'a.number' };
    },
  };
}

/** Returns a query in the syntax of PostgreSQL: each word in quotes. */
function queryOf(terms: readonly Term[]): string {
  const quoted = (word: string) => `'${word.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
  return terms.map(({ text, isBeginning }) => `${quoted(text)}${isBeginning ? ':*' : ''}`).join(' & ');
}
