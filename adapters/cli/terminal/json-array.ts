/** Yields the lines of a JSON array, one for each item. Holds a line back until it knows if a comma follows. */
export async function* jsonArray<Item>(
  batches: AsyncIterable<readonly Item[]>,
  membersOf: (item: Item) => object,
): AsyncGenerator<string> {
  let held: string | undefined;
  for await (const batch of batches)
    for (const item of batch) {
      yield held === undefined ? '[' : `${held},`;
      held = `  ${JSON.stringify(membersOf(item))}`;
    }
  yield* held === undefined ? ['[]'] : [held, ']'];
}
