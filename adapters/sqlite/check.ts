import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { CategoryId } from '../../domain/category.js';
import { signInKey } from '../../domain/developer.js';
import type { Difference } from '../../domain/ports.js';
import { BLOCK_SIZE } from '../storage/block-counts.js';
import { prepareRows, type Connection, type Preparer } from './connection.js';
import type { SqliteDatabase } from './database.js';
import { MAX_CHANGE } from './schema.js';

/** Blocks counted at once: about 2 ms, so that other requests of the process come in between. */
const BLOCKS_AT_ONCE = 16;

export interface CountDifference {
  readonly block: number;
  readonly category_id: CategoryId;
  readonly counted: number;
  readonly actual: number;
}

/** Counts again what is derived from the automations and the developers, and corrects it with `repair`. */
export async function checkDatabase(database: SqliteDatabase, repair: boolean): Promise<readonly Difference[]> {
  const differences: Difference[] = [];
  const compare = compareCounts(database);
  for (const range of rangesOf(await database.readOne(lastBlock(database)))) {
    await setImmediate();
    const found = await database.readOne(() => compare(...range));
    const corrected = repair && found.length > 0 ? await database.write('repairCounts', ...range) : found;
    differences.push(...corrected.map((each) => describe(each, repair)));
  }
  const changes = await database.readOne(impossibleChanges(database));
  if (changes > 0) differences.push({ description: `${changes} change numbers are out of range`, repaired: repair });
  if (repair && differences.length > 0) await database.write('renewCounts');
  return [...differences, ...(await checkSignInNames(database, repair))];
}

/** The corrections that a check makes. */
export function repairs(connection: Connection) {
  const compare = compareCounts(connection);
  const store = connection.prepare(
    `INSERT INTO block_counts (block, category_id, on_sale, change) VALUES (?, ?, ?, 0)
     ON CONFLICT DO UPDATE SET on_sale = excluded.on_sale`,
  );
  const resetChanges = connection.prepare(`UPDATE block_counts SET change = 0 WHERE ${IMPOSSIBLE}`);
  const rename = connection.prepare(
    `INSERT INTO settings VALUES ('counts', ?) ON CONFLICT DO UPDATE SET value = excluded.value`,
  );
  const storeSignInKey = connection.prepare('UPDATE developers SET sign_in_key = ? WHERE id = ? AND sign_in_name = ?');
  return {
    /** Corrects the counts of some blocks, and returns those that differed. */
    repairCounts(first: number, last: number): readonly CountDifference[] {
      const found = compare(first, last);
      for (const { block, category_id, actual } of found) store.run([block, category_id, actual]);
      return found;
    },

    /** Begins a new generation of counts: every process reads all of them again. */
    renewCounts(): void {
      resetChanges.run();
      rename.run(randomUUID());
    },

    /** Stores the keys of these sign-in names. All are removed first, since two may have been exchanged. */
    repairSignInNames(rows: readonly SignInRow[]): void {
      for (const { id, sign_in_name: name } of rows) storeSignInKey.run([null, id, name]);
      for (const { id, sign_in_name: name } of rows) storeSignInKey.run([signInKey(name), id, name]);
    },
  };
}

type Range = readonly [first: number, last: number];

/** Returns all blocks in parts. Before the first and after the last block, only damage has counts. */
function rangesOf(last: number): readonly Range[] {
  const parts = Array.from({ length: Math.ceil((last + 1) / BLOCKS_AT_ONCE) }, (_, part): Range => {
    const first = part * BLOCKS_AT_ONCE;
    return [first, Math.min(first + BLOCKS_AT_ONCE - 1, last)];
  });
  return [[Number.MIN_SAFE_INTEGER, -1], ...parts, [last + 1, Number.MAX_SAFE_INTEGER]];
}

function lastBlock(preparer: Preparer): () => number {
  const statement = preparer.prepare(`SELECT coalesce(max(seq) / ${BLOCK_SIZE}, -1) FROM automations`).raw();
  return () => (statement.get() as [number])[0];
}

const IMPOSSIBLE = `change < 0 OR change > ${MAX_CHANGE}`;

function impossibleChanges(preparer: Preparer): () => number {
  const statement = preparer.prepare(`SELECT count(*) FROM block_counts WHERE ${IMPOSSIBLE}`).raw();
  return () => (statement.get() as [number])[0];
}

/** Returns a function that compares the stored counts of some blocks with the automations, in one statement. */
function compareCounts(preparer: Preparer): (first: number, last: number) => readonly CountDifference[] {
  const compare = prepareRows<CountDifference>(
    preparer,
    ['block', 'category_id', 'counted', 'actual'],
    `FROM (
       SELECT block, category_id, coalesce(stored.on_sale, 0) AS counted, coalesce(truth.on_sale, 0) AS actual
       FROM (SELECT seq / ${BLOCK_SIZE} AS block, category_id, count(*) AS on_sale
             FROM automations INDEXED BY on_sale WHERE withdrawn_at IS NULL AND seq BETWEEN ? AND ?
             GROUP BY seq / ${BLOCK_SIZE}, category_id) AS truth
       FULL JOIN (SELECT block, category_id, on_sale FROM block_counts WHERE block BETWEEN ? AND ?) AS stored
         USING (block, category_id)
     ) WHERE counted <> actual`,
  );
  return (first, last) => {
    const highest = Math.min((last + 1) * BLOCK_SIZE - 1, Number.MAX_SAFE_INTEGER);
    return compare(Math.max(first * BLOCK_SIZE, 0), highest, first, last);
  };
}

function describe({ block, category_id, counted, actual }: CountDifference, repaired: boolean): Difference {
  const first = block * BLOCK_SIZE;
  const numbers = `numbers ${first} to ${first + BLOCK_SIZE - 1}`;
  return { description: `category "${category_id}", ${numbers}: counted ${counted}, there are ${actual}`, repaired };
}

export interface SignInRow {
  readonly id: string;
  readonly sign_in_name: string;
  readonly sign_in_key: string | null;
}

async function checkSignInNames(database: SqliteDatabase, repair: boolean): Promise<readonly Difference[]> {
  const named = prepareRows<SignInRow>(
    database,
    ['id', 'sign_in_name', 'sign_in_key'],
    'FROM developers WHERE sign_in_name IS NOT NULL',
  );
  const rows = await database.readOne(() => named());
  const wrong = rows.filter(({ sign_in_name: name, sign_in_key: key }) => signInKey(name) !== key);
  if (repair && wrong.length > 0) await database.write('repairSignInNames', wrong);
  return wrong.map(({ id }) => ({ description: `developer "${id}": the key of the sign-in name`, repaired: repair }));
}
