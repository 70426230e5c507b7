/** How many of the items, from the first on, a condition holds for; it holds for none after one for which it does not. */
export function countWhile<Item>(items: readonly Item[], holds: (item: Item) => boolean): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(items[middle] as Item)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The last `limit` of the first `end` items, the last one first. */
export function lastOf<Item>(items: readonly Item[], end: number, limit: number): readonly Item[] {
  return items.slice(Math.max(0, end - limit), Math.max(0, end)).reverse();
}
