/** Works on all values, so many at a time. */
export async function inParallel<Value>(
  values: readonly Value[],
  work: (value: Value) => Promise<void>,
  width = 8,
): Promise<void> {
  const rest = values.values();
  const worker = async (): Promise<void> => {
    for (const value of rest) await work(value);
  };
  await Promise.all(Array.from({ length: width }, worker));
}
