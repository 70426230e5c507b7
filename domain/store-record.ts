import { DEFAULT_CURRENCY, otherCurrency, parseCurrency, type Currency } from './currency.js';
import { requireOptions } from './options.js';
import type { Difference, PrepareOptions, StoreRecord } from './ports.js';

/**
 * Returns what a store records, which `known` is recorded in, when it is prepared (`Storage.prepare`).
 * @throws DomainError `conflict`, code `other-currency`, and `invalid` when there is no such currency; TypeError for
 * an unknown option.
 */
export function recordFor(known: Partial<StoreRecord> | undefined, options: PrepareOptions): StoreRecord {
  requirePrepareOptions(options);
  const currency = known?.currency ?? options.currency ?? DEFAULT_CURRENCY;
  if (options.currency !== undefined && options.currency !== currency) throw otherCurrency(currency, options.currency);
  const address = options.address ?? known?.address;
  return { currency, ...(address !== undefined && { address }) };
}

/** @throws as `recordFor` for options that no store takes. */
export function requirePrepareOptions(options: PrepareOptions): void {
  requireOptions('prepare', options, { currency: true, address: true });
  if (options.currency !== undefined) parseCurrency(options.currency);
  if (!['string', 'undefined'].includes(typeof options.address)) throw new TypeError('the address must be a text');
}

/** Returns what `Storage.check` says of prices in another currency than the recorded one. */
export function foreignPrices(count: number, currency: string, recorded: Currency): Difference {
  const automations = count === 1 ? '1 automation has its price' : `${count} automations have their prices`;
  const description = `${automations} in ${currency}, and the store is in ${recorded}: withdraw and publish again`;
  return { description, repaired: false };
}
