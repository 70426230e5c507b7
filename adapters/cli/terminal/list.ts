import type { CursorPage, CursorRequest } from '../../../application/cursor-page.js';
import { say, type Output } from '../session.js';
import { tableLines, type Column } from './table.js';

/** The items that are read and written at a time. */
export const BATCH_SIZE = 100;

/** How the items of a list are shown. */
interface Shown<Item> {
  readonly columns: readonly Column<Item>[];
  /** Returns the members of an item as JSON. */
  readonly members: (item: Item) => object;
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
