/** Returns the last `limit` of the first `end` items, the last one first. */
export function lastOf<Item>(items: readonly Item[], end: number, limit: number): readonly Item[] {
  return items.slice(Math.max(0, end - limit), Math.max(0, end)).reverse();
}
