/** The values in an order that the seed decides (Fisher and Yates, with the generator mulberry32). */
export function shuffled<Value>(values: readonly Value[], seed: number): readonly Value[] {
  const random = numbers(seed);
  const rest = [...values];
  return values.flatMap(() => rest.splice(Math.floor(random() * rest.length), 1));
}

/** Numbers from 0 to 1 that the seed decides. */
export function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
