import { LRUCache } from 'lru-cache';
import { decimalsOf, type Currency } from '../../../domain/currency.js';
import { inMajorUnits, type Price } from '../../../domain/price.js';

const DEFAULT_LOCALE = 'en-US';
/** Browsers send a few; the rest of a long header is not read. */
const MAX_PREFERENCES = 10;
/** A language, perhaps with a script and a region (RFC 5646, section 2.1), and its weight. */
const PREFERENCE = /^([a-z]{2,3}(?:-[a-z]{4})?(?:-(?:[a-z]{2}|\d{3}))?)(?:;q=(0(?:\.\d{1,3})?|1(?:\.0{1,3})?))?$/i;

/** The digits of the English text around it, which some locales do not have by default. */
const DIGITS = { numberingSystem: 'latn' };

const formats = new LRUCache<string, Intl.NumberFormat>({ max: 500 });

/** Returns the locale that a browser prefers (RFC 9110, section 12.5.4), of those that this process knows. */
export function localeOf(acceptLanguage = ''): string {
  const preferences = acceptLanguage.split(',', MAX_PREFERENCES).map((one) => PREFERENCE.exec(one.replace(/\s/g, '')));
  const wanted = preferences
    .map((one) => ({ tag: one?.[1] ?? '', weight: Number(one?.[2] ?? 1) }))
    .filter(({ tag, weight }) => tag !== '' && weight > 0)
    .sort((one, other) => other.weight - one.weight);
  return Intl.NumberFormat.supportedLocalesOf(wanted.map(({ tag }) => tag))[0] ?? DEFAULT_LOCALE;
}

/** Returns a price for people: `$9.99`, or `Free`. Shows the decimals of ISO 4217; Intl omits some by default. */
export function priceText(price: Price, locale = DEFAULT_LOCALE): string {
  return price.minorUnits === 0 ? 'Free' : formatOf(locale, price.currency).format(inMajorUnits(price));
}

/** Returns a price for programs, such as `9.90`. */
export function exactPrice(price: Price): string {
  return inMajorUnits(price).toFixed(decimalsOf(price.currency));
}

/** Returns a number for people. */
export function countText(count: number): string {
  return count.toLocaleString('en-US');
}

/** Returns a number of bytes for people, such as `12 kB`. */
export function sizeText(bytes: number): string {
  if (bytes < 1_000) return bytes === 1 ? '1 byte' : `${bytes} bytes`;
  return bytes < 999_500 ? `${Math.round(bytes / 1_000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

function formatOf(locale: string, currency: Currency): Intl.NumberFormat {
  const name = `${locale} ${currency}`;
  const decimals = decimalsOf(currency);
  const digits = { ...DIGITS, minimumFractionDigits: decimals, maximumFractionDigits: decimals };
  const format = formats.get(name) ?? new Intl.NumberFormat(locale, { style: 'currency', currency, ...digits });
  formats.set(name, format);
  return format;
}
