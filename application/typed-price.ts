import { decimalsOf, type Currency } from '../domain/currency.js';

/** More digits than any price has: the number is then out of range, and a price of another form is no number. */
const MAX_DIGITS = 12;

/** White space, and the invisible marks that are pasted with text. */
const BLANKS = '[\\s\\u00AD\\u061C\\u200E\\u200F]*';

/**
 * Returns the number of major units that a person has typed; a text of another form unchanged, which `checkPrice`
 * refuses. A price is in digits, with a decimal point or a decimal comma. Separators of thousands are refused, and so
 * are more decimals than the currency has: "1,000" could be a thousand.
 */
export function typedPrice(text: string, currency: Currency): number | string {
  const number = new RegExp(typedPricePattern(currency)).exec(text)?.[1];
  return number === undefined ? text : Number(number.replace(',', '.'));
}

/** Returns the form as a pattern, for browsers too. The number is its only group. */
export function typedPricePattern(currency: Currency): string {
  const decimals = decimalsOf(currency);
  const fraction = decimals === 0 ? '' : `(?:[.,][0-9]{1,${decimals}})?`;
  return `^${BLANKS}([0-9]{1,${MAX_DIGITS}}${fraction})${BLANKS}$`;
}

/** Returns the form in words, as the end of a sentence. */
export function typedPriceRule(currency: Currency): string {
  const decimals = decimalsOf(currency);
  const example = examplePrice(currency);
  if (decimals === 0) return `must be a whole amount such as ${example}, without thousands separators`;
  const examples = `${example} or ${example.replace('.', ',')}`;
  return `must be an amount such as ${examples}, with at most ${decimals} decimals and no thousands separators`;
}

/** Returns a price with all decimals of the currency. */
export function examplePrice(currency: Currency): string {
  const decimals = decimalsOf(currency);
  return decimals === 0 ? '10' : `9.${'9'.repeat(decimals)}`;
}
