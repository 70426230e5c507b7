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
const BLOCKS_AT_ONCE = 8;

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

/** Counts again what is derived from the automations and the developers. */
export class SqliteCheck {
  readonly #compareCounts;
  readonly #lastBlock;
  readonly #impossibleChanges;
  readonly #signInNames;

  /** Uses an open database and does not close it. */
  constructor(private readonly database: SqliteDatabase) {
    this.#compareCounts = compareCounts(database);
    this.#lastBlock = database.prepare(`SELECT coalesce(max(seq) / ${BLOCK_SIZE}, -1) FROM automations`).raw();
    this.#impossibleChanges = database.prepare(`SELECT count(*) FROM block_counts WHERE ${IMPOSSIBLE}`).raw();
    this.#signInNames = prepareRows<SignInRow>(
      database,
      ['id', 'sign_in_name', 'sign_in_key'],
      'FROM developers WHERE sign_in_name IS NOT NULL',
    );
  }

  /** Returns what differed. With `repair` it corrects each difference. */
  async run(repair: boolean): Promise<readonly Difference[]> {
    const differences = [...(await this.#checkCounts(repair)), ...(await this.#checkChanges(repair))];
    if (repair && differences.length > 0) await this.database.write('renewCounts');
    return [...differences, ...(await this.#checkSignInNames(repair))];
  }

  async #checkCounts(repair: boolean): Promise<readonly Difference[]> {
    const [last] = await this.database.readOne(() => this.#lastBlock.get() as [number]);
    const differences: Difference[] = [];
    for (const range of rangesOf(last)) {
      await setImmediate();
      const found = await this.database.read(() => this.#compareCounts(...range));
      const corrected = repair && found.length > 0 ? await this.database.write('repairCounts', ...range) : found;
      differences.push(...corrected.map((each) => describe(each, repair)));
    }
    return differences;
  }

  async #checkChanges(repair: boolean): Promise<readonly Difference[]> {
    const [wrong] = await this.database.readOne(() => this.#impossibleChanges.get() as [number]);
    return wrong === 0 ? [] : [{ description: `${wrong} counts have an impossible change number`, repaired: repair }];
  }

  async #checkSignInNames(repair: boolean): Promise<readonly Difference[]> {
    const rows = await this.database.readOne(() => this.#signInNames());
    const wrong = rows.filter(({ sign_in_name: name, sign_in_key: key }) => signInKey(name) !== key);
    if (repair && wrong.length > 0) await this.database.write('repairSignInNames', wrong);
    return wrong.map(({ id }) => ({ description: `developer "${id}": the key of the sign-in name`, repaired: repair }));
  }
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

const IMPOSSIBLE = `change < 0 OR change > ${MAX_CHANGE}`;

interface CountRow {
  readonly block: number;
  readonly category_id: CategoryId;
  readonly on_sale: number;
}

/** Returns a function that compares the stored counts of some blocks with the automations, within a transaction. */
function compareCounts(preparer: Preparer): (first: number, last: number) => readonly CountDifference[] {
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

function describe({ block, category_id, counted, actual }: CountDifference, repaired: boolean): Difference {
  const first = block * BLOCK_SIZE;
  const numbers = `numbers ${first} to ${first + BLOCK_SIZE - 1}`;
  return { description: `category "${category_id}", ${numbers}: counted ${counted}, there are ${actual}`, repaired };
}
