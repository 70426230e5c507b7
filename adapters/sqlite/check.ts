import { setImmediate } from 'node:timers/promises';
import { signInKey } from '../../domain/developer.js';
import type { Difference } from '../../domain/ports.js';
import { BLOCK_SIZE } from '../storage/block-counts.js';
import { firstRow, prepareRows } from './connection.js';
import type { SqliteDatabase } from './database.js';
import { MAX_UNINDEXED } from './searches.js';
import { isDamage } from './word-index.js';
import { compareCounts, IMPOSSIBLE, type CountDifference, type SignInRow } from './repairs.js';

/** Blocks counted at once: about 2 ms, so that other requests of the process come in between. */
const BLOCKS_AT_ONCE = 8;

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
    return [
      ...(await this.#checkCounts(repair)),
      ...(await this.#checkChanges(repair)),
      ...(await this.#checkSignInNames(repair)),
      ...(await this.#checkWords(repair)),
    ];
  }

  async #checkCounts(repair: boolean): Promise<readonly Difference[]> {
    const [last] = await this.database.readOne(() => firstRow(this.#lastBlock) as [number]);
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
    const [wrong] = await this.database.readOne(() => firstRow(this.#impossibleChanges) as [number]);
    if (repair && wrong > 0) await this.database.write('repairChanges');
    return wrong === 0 ? [] : [{ description: `${wrong} counts have an impossible change number`, repaired: repair }];
  }

  async #checkWords(repair: boolean): Promise<readonly Difference[]> {
    const { words } = this.database;
    if (repair) await words?.resume();
    const { wrong, isDamaged } = await this.database.checkWords().catch((error: unknown) => {
      if (isDamage(error)) return { wrong: [], isDamaged: true };
      throw error;
    });
    const isHopeless = isDamaged || wrong.length > MAX_UNINDEXED / 2;
    if (repair && isHopeless) await words?.renew();
    if (repair && !isHopeless && wrong.length > 0) await words?.reindex(wrong);
    if (isDamaged) return [{ description: 'the search index is damaged', repaired: repair }];
    if (wrong.length === 0) return [];
    return [{ description: `the search index has other words for ${wrong.length} automations`, repaired: repair }];
  }

  async #checkSignInNames(repair: boolean): Promise<readonly Difference[]> {
    const rows = await this.database.readOne(() => this.#signInNames());
    const wrong = rows.filter(({ sign_in_name: name, sign_in_key: key }) => signInKey(name) !== key);
    if (repair && wrong.length > 0) await this.database.write('repairSignInNames', wrong);
    return wrong.map(({ id }) => ({ description: `developer "${id}": the key of the sign-in name`, repaired: repair }));
  }
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

function describe({ block, category_id, counted, actual }: CountDifference, repaired: boolean): Difference {
  const first = block * BLOCK_SIZE;
  const numbers = `numbers ${first} to ${first + BLOCK_SIZE - 1}`;
  return { description: `category "${category_id}", ${numbers}: counted ${counted}, there are ${actual}`, repaired };
}
