import type { CursorQuery } from '../../domain/ports.js';

/** Returns a part of the items of a list that match; empty when the item `before` is not in the list. */
export function partBefore<Item extends { readonly id: string }>(
  items: readonly Item[],
  { limit, before }: CursorQuery<Item['id']>,
  isMeant: (item: Item) => boolean = () => true,
): readonly Item[] {
  const known = before === undefined ? -1 : items.findIndex(({ id }) => id === before);
  if (before !== undefined && known < 0) return [];
  return items
    .slice(known + 1)
    .filter(isMeant)
    .slice(0, limit);
}
