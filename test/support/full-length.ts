/**
 * Whether long rows have their full length. `npm run test:resilience` sets FULL_LENGTH=1; in the usual run they are
 * short.
 */
export const IS_FULL_LENGTH = process.env['FULL_LENGTH'] === '1';

/** Returns the first at full length, the second in the usual run. */
export function ofLength<Value>(full: Value, short: Value): Value {
  return IS_FULL_LENGTH ? full : short;
}

/** Returns each row at full length, and each so many of them in the usual run, the last among them. */
export function sampleOf<Row>(rows: readonly Row[], step: number): readonly Row[] {
  return IS_FULL_LENGTH
    ? rows
    : rows
        .toReversed()
        .filter((_, n) => n % step === 0)
        .toReversed();
}
