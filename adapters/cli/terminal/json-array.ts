/** Yields the lines of a JSON array, one for each item. Holds a line back until it knows if a comma follows. */
export async function* jsonArray(batches: AsyncIterable<readonly unknown[]>): AsyncGenerator<string> {
  let held: string | undefined;
  for await (const batch of batches)
    for (const item of batch) {
      yield held === undefined ? '[' : `${held},`;
      held = `  ${JSON.stringify(item)}`;
    }
  yield* held === undefined ? ['[]'] : [held, ']'];
}
