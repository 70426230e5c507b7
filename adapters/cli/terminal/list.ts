import type { CursorPage, CursorRequest } from '../../../application/cursor-page.js';
import { say, type Output } from '../session.js';
import { minuteOf, tableLines, type Column } from './table.js';

/** The items that are read and written at a time. */
export const BATCH_SIZE = 100;

/** How the items of a list are shown. */
interface Shown<Item> {
  readonly columns: readonly Column<Item>[];
  /** Returns the members of an item as JSON. */
  readonly members: (item: Item) => object;
}

/** A field of the items of a list: a member in JSON, a column of a table, or both. */
export interface Field<Item> extends Partial<Column<Item>> {
  /** The name of the member. */
  readonly name?: string;
  /** The value; undefined is null in JSON, and a hyphen in a table. */
  readonly value: (item: Item) => unknown;
}

/** Returns how the items of a list are shown by their fields. */
export function shownBy<Item>(fields: readonly Field<Item>[]): Shown<Item> {
  const columns = fields.flatMap(({ heading, value, cell = (item) => textOf(value(item)), ...widths }) =>
    heading === undefined ? [] : [{ heading, cell, ...widths }],
  );
  const members = (item: Item) =>
    fields.flatMap(({ name, value }) => (name === undefined ? [] : [[name, value(item) ?? null] as const]));
  return { columns, members: (item) => Object.fromEntries(members(item)) };
}

function textOf(value: unknown): string {
  if (value === undefined || value instanceof Date) return minuteOf(value);
  if (Array.isArray(value)) return value.join(',');
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Prints a list as a table, which fits a terminal, or as a JSON array. Returns the number of its items. */
export async function printList<Item>(
  stdout: Output,
  { columns, members }: Shown<Item>,
  parts: AsyncIterable<readonly Item[]>,
  json: boolean | undefined,
): Promise<number> {
  let count = 0;
  const countedParts = async function* () {
    for await (const part of parts) {
      count += part.length;
      yield part;
    }
  };
  const maxWidth = (stdout.isTTY && stdout.columns) || Infinity;
  for await (const line of json ? jsonArray(countedParts(), members) : tableLines(columns, countedParts(), maxWidth))
    say(stdout, line);
  return count;
}

/** Yields the lines of a JSON array, one for each item. Holds a line back until it knows if a comma follows. */
async function* jsonArray<Item>(
  parts: AsyncIterable<readonly Item[]>,
  membersOf: (item: Item) => object,
): AsyncGenerator<string> {
  let held: string | undefined;
  for await (const part of parts)
    for (const item of part) {
      yield held === undefined ? '[' : `${held},`;
      held = `  ${JSON.stringify(membersOf(item))}`;
    }
  yield* held === undefined ? ['[]'] : [held, ']'];
}

/** Yields the pages of a list, the latest first. */
export async function* cursorPages<Item>(
  list: (request: CursorRequest) => Promise<CursorPage<Item>>,
): AsyncGenerator<readonly Item[]> {
  let before: string | undefined;
  do {
    const { items, next } = await list({ limit: BATCH_SIZE, before });
    yield items;
    before = next;
  } while (before !== undefined);
}
