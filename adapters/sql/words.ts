import { setImmediate } from 'node:timers/promises';
import type { AutomationId } from '../../domain/automation.js';
import { indexedText, WORD_RULE } from '../../domain/words.js';
import { MAX_ROWS, type Query, type SqlConnection } from './connection.js';
import type { Dialect } from './dialect.js';
import { deleteSetting, settingsOf, storeSetting, type Settings } from './settings.js';

export interface TextRow {
  readonly number: number;
  readonly id: AutomationId;
  readonly title: string;
  readonly description: string;
}

type Texts = Omit<TextRow, 'number'>;

/**
 * Stores the words of automations, which have been written in the same transaction. A process that wants no index
 * stores them for the others, if the store has one.
 */
export async function storeWords(
  query: Query,
  dialect: Dialect,
  automations: readonly Texts[],
  isWanted = true,
): Promise<void> {
  if (!isWanted && (await settingsOf(query, dialect)).words === undefined) return;
  if (automations.length > 0) await query(dialect.words.store, [wordList(automations)]);
}

/** Returns the list of words that an index takes. */
export function wordList(automations: readonly Texts[]): string {
  return JSON.stringify(
    automations.map(({ id, ...texts }) => {
      const { name, title, description, runs } = indexedText(texts);
      return { id, title: [name, ...title].join(' '), description: description.join(' '), runs };
    }),
  );
}

/** Returns the texts of some automations after a number, in their order. */
export function textsAfter(query: Query, { prefix }: Dialect, number: number, lock = ''): Promise<readonly TextRow[]> {
  return query<TextRow>(
    `SELECT number, id, title, description FROM ${prefix}automations
     WHERE number > $1 ORDER BY number LIMIT ${MAX_ROWS} ${lock}`,
    [number],
  );
}

/** Begins an index, when there is none or one of an older rule; without `isWanted` it removes the index. */
export async function prepareWords(query: Query, dialect: Dialect, isWanted: boolean): Promise<void> {
  if (isPrepared(await settingsOf(query, dialect), isWanted)) return;
  for (const statement of dialect.words.clear) await query(statement);
  for (const name of ['words', 'wordsUpTo'] as const) await deleteSetting(query, dialect, name);
  if (!isWanted) return;
  await storeSetting(query, dialect, 'words', String(WORD_RULE));
  await storeSetting(query, dialect, 'wordsUpTo', '0');
}

/** Begins the index again, where the store has one and it is empty. */
export async function beginWords(query: Query, dialect: Dialect): Promise<void> {
  if ((await settingsOf(query, dialect)).words !== undefined) await storeSetting(query, dialect, 'wordsUpTo', '0');
}

/** Returns whether there is nothing to begin or to remove. A process of an older rule goes on with words of a newer. */
export function isPrepared({ words }: Settings, isWanted: boolean): boolean {
  return isWanted ? Number(words ?? 0) >= WORD_RULE : words === undefined;
}

/** Returns whether there is a complete index. */
export function isReadable({ words, wordsUpTo }: Settings): boolean {
  return words !== undefined && wordsUpTo === undefined;
}

/** Stores the words that an incomplete index has not got. Others come in between. */
export async function completeWords(connection: SqlConnection): Promise<void> {
  while ((await settingsOf(connection.query, connection.dialect)).wordsUpTo !== undefined) {
    await storeNext(connection);
    await setImmediate();
  }
}

/** Stores the words of the next automations, or notes that there are none. Other processes may do the same. */
function storeNext(connection: SqlConnection): Promise<void> {
  const { dialect } = connection;
  return connection.transaction(async (query) => {
    const [row] = await query<{ readonly value: string }>(
      `UPDATE ${dialect.prefix}settings SET value = value WHERE name = 'wordsUpTo' RETURNING value`,
    );
    if (row === undefined) return;
    const texts = await textsAfter(query, dialect, Number(row.value), dialect.forUpdate);
    await storeWords(query, dialect, texts);
    const last = texts.at(-1);
    if (last === undefined) await deleteSetting(query, dialect, 'wordsUpTo');
    else await storeSetting(query, dialect, 'wordsUpTo', String(last.number));
  });
}
