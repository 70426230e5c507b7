import { uuidOf } from '../domain/uuid.js';

/** A part of a list, newest first. */
export interface CursorPage<Item> {
  readonly items: readonly Item[];
  /** The `before` of the next part; undefined on the last one. */
  readonly next?: string;
}

/** A request for one part of a list. */
export interface CursorRequest {
  /** 1 to 100; 25 by default. */
  readonly limit?: number | undefined;
  /** The `next` of the previous part; without it, the part begins with the newest. */
  readonly before?: string | undefined;
}

/** Returns the `before` of a request as ids are stored. Before any other text a store has nothing. */
export function beforeOf({ before }: CursorRequest): string | undefined {
  return before === undefined ? undefined : (uuidOf(before) ?? before);
}

/** Returns a page of the first `limit` items. An item beyond them shows that there is a next page. */
export function cursorPage<Item extends { readonly id: string }>(
  items: readonly Item[],
  limit: number,
): CursorPage<Item> {
  const last = items[limit - 1];
  return { items: items.slice(0, limit), ...(items.length > limit && last && { next: last.id }) };
}
