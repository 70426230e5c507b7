import type { CursorPage, CursorRequest } from '../../application/cursor-page.js';

/** The items that are read and written at a time. */
const BATCH_SIZE = 100;

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
