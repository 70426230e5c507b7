import { decimalsOf, type Currency } from './currency.js';
import type { ReportViolation } from './errors.js';
import { requireParts } from './options.js';

/**
 * A whole number of a currency's minor units (cents of USD). `checkPrice` makes it of major units, and `inMajorUnits`
 * turns it back; nothing else converts. A storage reads back what it stored, without a check.
 */
export type MinorUnits = number & { readonly __brand: 'MinorUnits' };

/** An exact amount. */
export interface Price {
  readonly minorUnits: MinorUnits;
  readonly currency: Currency;
}

/** The highest price, in major units, of a currency with two decimals. */
const HIGHEST = 99_999_999.99;

/** Returns the highest price in this currency, in major units. */
export function highestPrice(currency: Currency): number {
  return decimalsOf(currency) === 0 ? Math.floor(HIGHEST) : HIGHEST;
}

/** Returns a number of major units (9.99) as an exact price. Reports every broken rule. */
export function checkPrice(value: unknown, currency: Currency, report: ReportViolation): Price {
  const decimals = decimalsOf(currency);
  const highest = highestPrice(currency);
  if (value === undefined) report('required', 'is required');
  else if (typeof value === 'string') report('wrong-type', 'must be a number, not a string');
  else if (typeof value !== 'number' || Number.isNaN(value)) report('wrong-type', 'must be a number');
  else if (value < 0 || value > highest) report('out-of-range', `must be from 0 to ${highest}`);
  else if (!hasAtMost(decimals, value)) report('invalid-format', precision(decimals, currency));
  else return { minorUnits: minorUnits(Math.round(value * 10 ** decimals) || 0), currency };
  return { minorUnits: minorUnits(0), currency };
}

/** Returns a whole number as an amount in minor units. @throws RangeError for any other number. */
export function minorUnits(count: number): MinorUnits {
  if (Number.isSafeInteger(count)) return count as MinorUnits;
  throw new RangeError('an amount in minor units must be a whole number, such as 999 for 9.99');
}

/** Returns whether a number of major units, from 0 to the highest price, has at most this number of decimals. */
export function hasAtMost(decimals: number, value: number): boolean {
  const scale = 10 ** decimals;
  return Math.round(value * scale) / scale === value;
}

function precision(decimals: number, currency: Currency): string {
  if (decimals === 0) return `must be a whole number; ${currency} has no decimals`;
  return `must have at most ${decimals} decimals, as many as ${currency} has`;
}

/** Returns the amount in major units, as a decimal number: 7 cents are 0.07. */
export function inMajorUnits(price: Price): number {
  requireParts('inMajorUnits', 'a price', price, []);
  return price.minorUnits / 10 ** decimalsOf(price.currency);
}
