/**
 * Whether long rows have their full length. `npm run test:resilience` sets FULL_LENGTH=1; in the usual run they are
 * short.
 */
export const IS_FULL_LENGTH = process.env['FULL_LENGTH'] === '1';
