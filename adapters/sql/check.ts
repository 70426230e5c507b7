import type { AutomationId } from '../../domain/automation.js';
import type { Difference } from '../../domain/ports.js';
import { foreignPrices } from '../../domain/store-record.js';
import { WORD_RULE } from '../../domain/words.js';
import { checkFiles } from './automation-files.js';
import { change, MAX_ROWS, type Query, type SqlConnection } from './connection.js';
import { BLOCK_SIZES } from './counts.js';
import { makeObjects, missingObjects } from './derived.js';
import type { Dialect } from './dialect.js';
import { settingsOf } from './settings.js';
import { isReadable, storeWords, textsAfter, wordList, type TextRow } from './words.js';

/** Compares what is derived from the automations with them, and returns what differs. With `repair` it is corrected. */
export async function checkStore(connection: SqlConnection, repair: boolean): Promise<readonly Difference[]> {
  const missing = await missingObjects(connection);
  const isMissing = (name: string) => missing.some(({ object }) => object.name === name);
  const { words, ofFile } = await findDamage(connection, !isMissing('words'));
  const made = await makeObjects(connection, [...missing, ...words], repair);
  const hasWords = repair || (words.length === 0 && !isMissing('words'));
  return [
    ...ofFile.map((damage) => ({ description: `the file is damaged: ${damage}`, repaired: false })),
    ...made,
    ...(repair || !isMissing('counts') ? await checkCounts(connection, repair) : []),
    ...(hasWords ? await checkWords(connection, repair) : []),
    ...(await checkFiles(connection, repair)),
    ...(await checkCurrency(connection)),
  ];
}

/** Nothing tells what such a price should be, so none is changed. */
function checkCurrency(connection: SqlConnection): Promise<readonly Difference[]> {
  const { dialect } = connection;
  return connection.check(async (query) => {
    const { currency: recorded } = await settingsOf(query, dialect);
    if (recorded === undefined) return [];
    const others = await query<{ readonly currency: string; readonly count: number }>(
      `SELECT currency, count(*) AS count FROM ${dialect.prefix}automations WHERE currency <> $1
       GROUP BY currency ORDER BY currency`,
      [recorded],
    );
    return others.map(({ count, currency }) => foreignPrices(count, currency, recorded));
  });
}

/** Returns the damage of the index of words, which can be made again, and that which only a backup repairs. */
async function findDamage(connection: SqlConnection, hasWords: boolean) {
  const { dialect } = connection;
  const { damage: ofWords = /^$/, findDamage: unfound, objects } = dialect.words;
  const ask = async (sql: string | undefined): Promise<readonly string[]> => {
    if (sql === undefined) return [];
    const rows = await connection
      .check((query) => query<{ readonly damage: string }>(sql))
      .catch((error: unknown) => {
        if (error instanceof Error && ofWords.test(error.message)) return [{ damage: error.message }];
        throw error;
      });
    return rows.map(({ damage }) => damage);
  };
  const found = await ask(dialect.findDamage);
  const inWords = found.filter((damage) => ofWords.test(damage));
  const [first] = inWords.length > 0 || !hasWords ? inWords : await ask(unfound);
  const words =
    first === undefined
      ? []
      : objects.slice(0, 1).map((object) => ({ object, why: `the index of words is damaged: ${first}` }));
  return { words, ofFile: found.filter((damage) => !ofWords.test(damage)) };
}

interface CountDifference {
  readonly size: number;
  readonly category_id: string;
  readonly block: number;
  readonly counted: number;
  readonly actual: number;
}

/**
 * Counts in a state of the store that holds up no writer. What a writer changes afterwards it changes in both, so a
 * difference stays the same, and may be added later; but once, so not when another process has repaired meanwhile.
 */
async function checkCounts(connection: SqlConnection, repair: boolean): Promise<readonly Difference[]> {
  const { dialect } = connection;
  const { wrong, repairs } = await connection.check(async (query) => ({
    wrong: await countDifferences(query, dialect),
    repairs: (await settingsOf(query, dialect)).repairs,
  }));
  if (!repair || wrong.length === 0) return wrong.map((each) => describe(each, false));
  const isRepaired = await connection.build(async (query) => {
    if (!(await takeTurn(query, dialect, repairs))) return false;
    await addDifferences(query, dialect, wrong);
    return true;
  });
  return isRepaired ? wrong.map((each) => describe(each, true)) : checkCounts(connection, repair);
}

async function countDifferences(query: Query, { prefix }: Dialect): Promise<readonly CountDifference[]> {
  const differing = (size: number) => `
    WITH actual AS (
      SELECT category_id, number / ${size} AS block, count(*) AS on_sale
      FROM ${prefix}automations WHERE withdrawn_at IS NULL GROUP BY category_id, number / ${size}
    ), compared AS (
      SELECT category_id, block, 0 AS counted, on_sale AS actual FROM actual
      UNION ALL SELECT '', block, 0, on_sale FROM actual
      UNION ALL SELECT category_id, block, on_sale, 0 FROM ${prefix}counts WHERE size = ${size}
    )
    SELECT ${size} AS size, category_id, block, CAST(sum(counted) AS bigint) AS counted,
      CAST(sum(actual) AS bigint) AS actual
    FROM compared GROUP BY category_id, block HAVING sum(counted) <> sum(actual) ORDER BY category_id, block`;
  const inLarge = await query<CountDifference>(differing(BLOCK_SIZES.large));
  return [...inLarge, ...(await query<CountDifference>(differing(BLOCK_SIZES.small)))];
}

/** Returns whether there was no repair since `repairs` was read. Another one waits until the transaction ends. */
async function takeTurn(query: Query, dialect: Dialect, repairs: string | undefined): Promise<boolean> {
  await query(`INSERT INTO ${dialect.prefix}settings (name, value) VALUES ('repairs', '0') ON CONFLICT DO NOTHING`);
  const sql = `UPDATE ${dialect.prefix}settings SET value = $1 WHERE name = 'repairs' AND value = $2 RETURNING name`;
  return (await query(sql, [String(Number(repairs ?? 0) + 1), repairs ?? '0'])).length > 0;
}

async function addDifferences(
  query: Query,
  { prefix, rowsOf }: Dialect,
  wrong: readonly CountDifference[],
): Promise<void> {
  const columns = {
    size: 'integer',
    category_id: 'text',
    block: 'integer',
    counted: 'integer',
    actual: 'integer',
  } as const;
  await query(
    `INSERT INTO ${prefix}counts AS stored (size, category_id, block, on_sale)
     SELECT size, category_id, block, actual - counted FROM ${rowsOf('$1', columns)} AS wrong
     WHERE true ORDER BY size, category_id, block
     ON CONFLICT (size, category_id, block) DO UPDATE SET on_sale = stored.on_sale + excluded.on_sale`,
    [JSON.stringify(wrong)],
  );
}

function describe({ size, category_id: id, block, counted, actual }: CountDifference, repaired: boolean): Difference {
  const category = id === '' ? 'all categories' : `category "${id}"`;
  const numbers = `numbers ${block * size} to ${(block + 1) * size - 1}`;
  return { description: `${category}, ${numbers}: counted ${counted}, there are ${actual}`, repaired };
}

/**
 * An index that is not complete is not compared, nor one of another rule: two versions of the program would store
 * their own words by turns.
 */
async function checkWords(connection: SqlConnection, repair: boolean): Promise<readonly Difference[]> {
  const settings = await settingsOf(connection.query, connection.dialect);
  if (!isReadable(settings) || Number(settings.words) !== WORD_RULE) return [];
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
    const texts = await textsAfter(query, dialect, number);
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
    const now = await textsAfter(query, dialect, first - 1, dialect.forUpdate);
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
  const found = await connection.check((query) => query<{ readonly number: number }>(surplus));
  const numbers = repair ? found.map(({ number }) => String(number)) : [];
  for (let start = 0; start < numbers.length; start += MAX_ROWS)
    await change(connection, remove, [JSON.stringify(numbers.slice(start, start + MAX_ROWS))]);
  return found.length;
}
