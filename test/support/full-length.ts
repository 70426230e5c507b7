/**
 * Whether the files `*.storages.test.ts` run on the storages that `npm test` leaves out, and at full length: `npm run
 * test:resilience` sets FULL_LENGTH=1. In `npm test` they run in memory, and are short.
 */
export const IS_FULL_LENGTH = process.env['FULL_LENGTH'] === '1';

/** Returns the first at full length, the second in the usual run. */
export function ofLength<Value>(full: Value, short: Value): Value {
  return IS_FULL_LENGTH ? full : short;
}
