import type { AutomationId } from '../../domain/automation.js';
import type { Difference } from '../../domain/ports.js';
import type { Query, SqlConnection } from './connection.js';
import { BLOCK_SIZES } from './schema.js';
import { settingsOf } from './settings.js';
import { isReadable, storeWords, textsAfter, wordList, type TextRow } from './words.js';

/** Automations whose words are compared at once. */
const LOT = 500;

interface CountDifference {
  readonly category_id: string;
  readonly block: number;
  readonly counted: number;
  readonly actual: number;
}

/** Compares what is derived from the automations with them, and returns what differs. With `repair` it is corrected. */
export async function checkStore(connection: SqlConnection, repair: boolean): Promise<readonly Difference[]> {
  return [
    ...(await findDamage(connection)),
    ...(await checkCounts(connection, BLOCK_SIZES.large, repair)),
    ...(await checkCounts(connection, BLOCK_SIZES.small, repair)),
    ...(await checkWords(connection, repair)),
  ];
}

/** Only a backup repairs it. */
async function findDamage(connection: SqlConnection): Promise<readonly Difference[]> {
  const sql = connection.dialect.findDamage;
  const found = sql === undefined ? [] : await connection.check((query) => query<{ readonly damage: string }>(sql));
  return found.map(({ damage }) => ({ description: `the file is damaged: ${damage}`, repaired: false }));
}

async function checkCounts(connection: SqlConnection, size: number, repair: boolean): Promise<readonly Difference[]> {
  const { prefix, rowsOf } = connection.dialect;
  const find = (query: Query) => query<CountDifference>(countDifferences(prefix, size));
  const found = await connection.check(find);
  if (!repair || found.length === 0) return found.map((each) => describe(each, size, false));
  const columns = { category_id: 'text', block: 'integer', counted: 'integer', actual: 'integer' } as const;
  return connection.build(async (query) => {
    const wrong = await find(query);
    await query(
      `INSERT INTO ${prefix}counts AS stored (size, category_id, block, on_sale)
       SELECT ${size}, category_id, block, actual - counted FROM ${rowsOf('$1', columns)} AS wrong WHERE true
       ON CONFLICT (size, category_id, block) DO UPDATE SET on_sale = stored.on_sale + excluded.on_sale`,
      [JSON.stringify(wrong)],
    );
    return wrong.map((each) => describe(each, size, true));
  });
}

/** The difference stays the same while others write, since they change both: it may be added at any time. */
function countDifferences(prefix: string, size: number): string {
  return `
    WITH actual AS (
      SELECT category_id, number / ${size} AS block, count(*) AS on_sale
      FROM ${prefix}automations WHERE withdrawn_at IS NULL GROUP BY category_id, number / ${size}
    ), compared AS (
      SELECT category_id, block, 0 AS counted, on_sale AS actual FROM actual
      UNION ALL SELECT '', block, 0, on_sale FROM actual
      UNION ALL SELECT category_id, block, on_sale, 0 FROM ${prefix}counts WHERE size = ${size}
    )
    SELECT category_id, block, CAST(sum(counted) AS bigint) AS counted, CAST(sum(actual) AS bigint) AS actual
    FROM compared GROUP BY category_id, block HAVING sum(counted) <> sum(actual) ORDER BY category_id, block`;
}

function describe({ category_id: id, block, counted, actual }: CountDifference, size: number, repaired: boolean) {
  const category = id === '' ? 'all categories' : `category "${id}"`;
  const numbers = `numbers ${block * size} to ${(block + 1) * size - 1}`;
  return { description: `${category}, ${numbers}: counted ${counted}, there are ${actual}`, repaired };
}

/** An index that is not complete is not compared. */
async function checkWords(connection: SqlConnection, repair: boolean): Promise<readonly Difference[]> {
  if (!isReadable(await settingsOf(connection.query, connection.dialect))) return [];
  let differing = await checkSurplus(connection, repair);
  for (let lot = await compareLot(connection, 0); lot.texts.length > 0;) {
    differing += lot.differing.length;
    if (repair && lot.differing.length > 0) await storeAgain(connection, lot);
    lot = await compareLot(connection, lot.texts.at(-1)?.number ?? 0);
  }
  if (differing === 0) return [];
  return [{ description: `the search index has other words for ${differing} automations`, repaired: repair }];
}

interface Lot {
  readonly texts: readonly TextRow[];
  readonly differing: readonly AutomationId[];
}

/** Compares the words of the automations after a number, in one state of the store. */
function compareLot(connection: SqlConnection, number: number): Promise<Lot> {
  const { dialect } = connection;
  return connection.check(async (query) => {
    const texts = await textsAfter(query, dialect, number, LOT);
    const rows = await query<{ readonly id: AutomationId }>(dialect.words.differing, [wordList(texts)]);
    return { texts, differing: rows.map(({ id }) => id) };
  });
}

/** Stores words again, of texts that are read again, since they may have been revised meanwhile. */
function storeAgain(connection: SqlConnection, { texts, differing }: Lot): Promise<void> {
  const { dialect } = connection;
  const wrong = new Set(differing);
  const first = texts[0]?.number ?? 0;
  return connection.transaction(async (query) => {
    const now = await textsAfter(query, dialect, first - 1, LOT, dialect.forUpdate);
    await storeWords(
      query,
      dialect,
      now.filter(({ id }) => wrong.has(id)),
    );
  });
}

/** Finds words of automations that are not there, and returns how many. */
async function checkSurplus(connection: SqlConnection, repair: boolean): Promise<number> {
  const { surplus, remove } = connection.dialect.words;
  const find = (query: Query) => query<{ readonly number: number }>(surplus);
  const found = await connection.check(find);
  if (repair && found.length > 0)
    await connection.build(async (query) =>
      query(remove, [JSON.stringify((await find(query)).map(({ number }) => String(number)))]),
    );
  return found.length;
}
