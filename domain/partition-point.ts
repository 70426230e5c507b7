/** How many items, from the first on, a condition holds for; it holds for none after one for which it does not. It is told how many stand before an item. */
export function countWhile<Item>(items: ArrayLike<Item>, holds: (item: Item, before: number) => boolean): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(items[middle] as Item, middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}
