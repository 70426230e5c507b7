import type { SearchTerms } from '../../../domain/search-terms.js';
import type { Dialect, WordIndex } from '../dialect.js';

const CONDITIONS = {
  all: 'a.words @@ $1::tsquery',
  'in-title': 'a.words @@ $1::tsquery AND a.title @@ $1::tsquery',
  'not-in-title': 'a.words @@ $1::tsquery AND NOT a.title @@ $1::tsquery',
} as const;

/**
 * Returns the index of words in PostgreSQL: a table with the words of title and description, those of the title alone,
 * and the columns by which searches filter and sort. Words are compared as they are, without the rules of a language.
 */
export function wordIndex({
  prefix: p,
  rowsOf,
  listOf,
  types,
}: Pick<Dialect, 'prefix' | 'rowsOf' | 'listOf' | 'types'>): WordIndex {
  const given = rowsOf('$1', { id: 'text', title: 'text', description: 'text' });
  const vector = (text: string) => `array_to_tsvector(string_to_array(${text}, ' '))`;
  const title = vector('given.title');
  const words = `${title} || ${vector('given.description')}`;
  const columns = 'number, category_id, developer_id, price, withdrawn_at, title, words';
  return {
    create: [
      `CREATE TABLE ${p}words (
        number ${types.integer} PRIMARY KEY,
        category_id ${types.text} NOT NULL,
        developer_id ${types.text} NOT NULL,
        price ${types.integer} NOT NULL,
        withdrawn_at ${types.integer},
        title tsvector NOT NULL,
        words tsvector NOT NULL
      )`,
      `CREATE INDEX words_by_word ON ${p}words USING gin (words) WITH (gin_pending_list_limit = 256)`,
    ],
    clear: [`TRUNCATE ${p}words`],
    store: `INSERT INTO ${p}words (${columns})
      SELECT a.number, a.category_id, a.developer_id, a.price, a.withdrawn_at, ${title}, ${words}
      FROM ${given} AS given JOIN ${p}automations AS a ON a.id = given.id
      WHERE EXISTS (SELECT 1 FROM ${p}settings WHERE name = 'words') ORDER BY a.number
      ON CONFLICT (number) DO UPDATE SET category_id = excluded.category_id, price = excluded.price,
        developer_id = excluded.developer_id, withdrawn_at = excluded.withdrawn_at,
        title = excluded.title, words = excluded.words`,
    withdraw: [
      `UPDATE ${p}words AS w SET withdrawn_at = a.withdrawn_at
       FROM ${p}automations AS a WHERE a.id IN ${listOf('$1')} AND w.number = a.number`,
    ],
    differing: `SELECT a.id FROM ${given} AS given JOIN ${p}automations AS a ON a.id = given.id
      LEFT JOIN ${p}words AS w ON w.number = a.number
      WHERE (w.title, w.words, w.category_id, w.developer_id, w.price, w.withdrawn_at) IS DISTINCT FROM
        (${title}, ${words}, a.category_id, a.developer_id, a.price, a.withdrawn_at)`,
    surplus: `SELECT w.number FROM ${p}words AS w
      WHERE NOT EXISTS (SELECT 1 FROM ${p}automations AS a WHERE a.number = w.number)`,
    remove: `DELETE FROM ${p}words
      WHERE number IN (SELECT CAST(given AS bigint) FROM jsonb_array_elements_text($1::jsonb) AS given)`,
    matches: (terms, part, { isOnSale }) => ({
      from: `${p}words AS a`,
      condition: `${CONDITIONS[part]}${isOnSale ? ' AND a.withdrawn_at IS NULL' : ''}`,
      value: queryOf(terms),
      number: 'a.number',
    }),
  };
}

/** Returns a query in the syntax of PostgreSQL: each word in quotes, the last as a beginning. */
function queryOf({ words, prefix }: SearchTerms): string {
  const quoted = (word: string) => `'${word.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
  return [...words.map(quoted), `${quoted(prefix)}:*`].join(' & ');
}
