/**
 * Returns how many items at the start of a list satisfy a condition that no later item satisfies, by binary search.
 * The condition gets an item and its index.
 */
export function partitionPoint<Item>(items: ArrayLike<Item>, holds: (item: Item, index: number) => boolean): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(items[middle] as Item, middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}
