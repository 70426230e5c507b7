import { addSizeOf } from '../../domain/add-size.js';
import { wordsOf } from '../../domain/search-terms.js';
import { firstRow, prepareRows, type Connection, type Statement } from './connection.js';
import { DROP_WORDS, WORDS } from './schema.js';
import { MAX_UNINDEXED, WORD_RULE } from './searches.js';

interface UnindexedRow {
  readonly number: number;
  readonly stale: number | null;
  readonly title: string | null;
  readonly description: string;
  readonly withdrawn_at: number | null;
}

/** The writes of the index of words. */
export function wordWrites(connection: Connection) {
  const findRule = connection.prepare(`SELECT value FROM settings WHERE name = 'words'`).raw();
  const storeRule = connection.prepare(
    `INSERT INTO settings VALUES ('words', ?) ON CONFLICT DO UPDATE SET value = excluded.value`,
  );
  const deleteRule = connection.prepare(`DELETE FROM settings WHERE name = 'words'`);
  let prepared: ReturnType<typeof prepareIndex> | undefined;

  const hasIndex = () => (firstRow(findRule) as [string] | undefined)?.[0] === WORD_RULE;

  function dropWords(): void {
    prepared = undefined;
    connection.exec(DROP_WORDS);
    deleteRule.run();
  }

  return {
    /** Removes the index, if there is one. */
    dropWords,

    /** Begins a new index, unless there is one of the same rule. */
    keepWords(options: { readonly renew: boolean }): void {
      if (hasIndex() && !options.renew) return;
      dropWords();
      connection.exec(WORDS);
      storeRule.run(WORD_RULE);
    },

    /**
     * Stores the words of a lot of automations, when there are so many to store, and of fewer when their texts are
     * long, so that other writes do not wait long. Returns how many are left; of very many it counts only a part.
     */
    indexWords(lot: number, maxSize: number): number {
      if (!hasIndex()) return 0;
      const { count, find, remove, store, forget } = (prepared ??= prepareIndex(connection));
      const [waiting] = firstRow(count) as [number];
      if (waiting < lot) return waiting;
      let size = 0;
      let left = waiting;
      for (const { number, stale, title, description, withdrawn_at: at } of find(lot)) {
        size += title === null ? 1 : addSizeOf({ title, description });
        if (size > maxSize && left < waiting) break;
        if (stale !== null) remove.run(stale);
        if (title !== null)
          store.run([at === null ? number : -number, ...[title, description].map((text) => wordsOf(text).join(' '))]);
        forget.run(number);
        left -= 1;
      }
      return left;
    },

    /** Makes these automations wait for the index, which may have false words under these numbers. */
    reindexWords(numbers: readonly number[]): void {
      const again = connection.prepare(
        'INSERT INTO unindexed VALUES (abs(?1), ?1) ON CONFLICT DO UPDATE SET stale = excluded.stale',
      );
      for (const number of numbers) again.run(number);
    },
  };
}

function prepareIndex(connection: Connection) {
  const count: Statement = connection
    .prepare(`SELECT count(*) FROM (SELECT 1 FROM unindexed LIMIT ${2 * MAX_UNINDEXED})`)
    .raw();
  return {
    count,
    find: prepareRows<UnindexedRow>(
      connection,
      ['number', 'stale', 'title', 'description', 'withdrawn_at'],
      `FROM (SELECT seq AS number, stale FROM unindexed ORDER BY seq LIMIT ?) LEFT JOIN automations ON seq = number`,
    ),
    remove: connection.prepare('DELETE FROM words WHERE rowid = ?'),
    store: connection.prepare('INSERT OR REPLACE INTO words (rowid, title, description) VALUES (?, ?, ?)'),
    forget: connection.prepare('DELETE FROM unindexed WHERE seq = ?'),
  };
}
