import { randomUUID } from 'node:crypto';
import type { CategoryId } from '../../domain/category.js';
import { signInKey } from '../../domain/developer.js';
import { BLOCK_SIZE } from '../storage/block-counts.js';
import { prepareRows, type Connection, type Preparer } from './connection.js';
import { MAX_CHANGE } from './schema.js';

export interface SignInRow {
  readonly id: string;
  readonly sign_in_name: string;
  readonly sign_in_key: string | null;
}

export interface CountDifference {
  readonly block: number;
  readonly category_id: CategoryId;
  readonly counted: number;
  readonly actual: number;
}

/** The condition of rows whose change number cannot be right. */
export const IMPOSSIBLE = `change < 0 OR change > ${MAX_CHANGE}`;

/** The corrections that a check makes. */
export function repairs(connection: Connection) {
  const compare = compareCounts(connection);
  const store = connection.prepare(
    `INSERT INTO block_counts (block, category_id, on_sale, change) VALUES (?, ?, ?, 0)
     ON CONFLICT DO UPDATE SET on_sale = excluded.on_sale`,
  );
  const resetChanges = connection.prepare(`UPDATE block_counts SET change = 0 WHERE ${IMPOSSIBLE}`);
  const storeGeneration = connection.prepare(
    `INSERT INTO settings VALUES ('counts', ?) ON CONFLICT DO UPDATE SET value = excluded.value`,
  );
  const storeSignInKey = connection.prepare('UPDATE developers SET sign_in_key = ? WHERE id = ? AND sign_in_name = ?');

  /** Makes every process read all counts again. It belongs in the transaction of each repair: a check may end there. */
  function renewGeneration(): void {
    storeGeneration.run(randomUUID());
  }

  return {
    /** Corrects the counts of some blocks, and returns those that differed. */
    repairCounts(first: number, last: number): readonly CountDifference[] {
      const found = compare(first, last);
      for (const { block, category_id, actual } of found) store.run([block, category_id, actual]);
      if (found.length > 0) renewGeneration();
      return found;
    },

    /** Sets impossible change numbers to 0. */
    repairChanges(): void {
      resetChanges.run();
      renewGeneration();
    },

    /** Stores the keys of these sign-in names. All are removed first, since two may have been exchanged. */
    repairSignInNames(rows: readonly SignInRow[]): void {
      for (const { id, sign_in_name: name } of rows) storeSignInKey.run([null, id, name]);
      for (const { id, sign_in_name: name } of rows) storeSignInKey.run([signInKey(name), id, name]);
    },
  };
}

interface CountRow {
  readonly block: number;
  readonly category_id: CategoryId;
  readonly on_sale: number;
}

/** Returns a function that compares the stored counts of some blocks with the automations, within a transaction. */
export function compareCounts(preparer: Preparer): (first: number, last: number) => readonly CountDifference[] {
  const columns = ['block', 'category_id', 'on_sale'] as const;
  const readStored = prepareRows<CountRow>(preparer, columns, 'FROM block_counts WHERE block BETWEEN ? AND ?');
  const readActual = prepareRows<CountRow>(
    preparer,
    columns,
    `FROM (
       SELECT seq / ${BLOCK_SIZE} AS block, category_id, count(*) AS on_sale
       FROM automations INDEXED BY on_sale WHERE withdrawn_at IS NULL AND seq BETWEEN ? AND ?
       GROUP BY seq / ${BLOCK_SIZE}, category_id
     )`,
  );
  return (first, last) => {
    const highest = Math.min((last + 1) * BLOCK_SIZE - 1, Number.MAX_SAFE_INTEGER);
    return differencesOf(readStored(first, last), readActual(Math.max(first * BLOCK_SIZE, 0), highest));
  };
}

function differencesOf(stored: readonly CountRow[], actual: readonly CountRow[]): readonly CountDifference[] {
  const nameOf = ({ block, category_id }: CountRow) => `${block} ${category_id}`;
  const storedOf = new Map(stored.map((row) => [nameOf(row), row.on_sale]));
  const actualOf = new Map(actual.map((row) => [nameOf(row), row.on_sale]));
  const surplus = stored.filter((row) => !actualOf.has(nameOf(row)));
  return [...actual, ...surplus]
    .map((row) => ({
      block: row.block,
      category_id: row.category_id,
      counted: storedOf.get(nameOf(row)) ?? 0,
      actual: actualOf.get(nameOf(row)) ?? 0,
    }))
    .filter((each) => each.counted !== each.actual);
}
