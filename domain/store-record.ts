import { DEFAULT_CURRENCY, otherCurrency } from './currency.js';
import type { PrepareOptions, StoreRecord } from './ports.js';

/**
 * Returns what a store records, which `known` is recorded in, when it is prepared (`Storage.prepare`).
 * @throws DomainError `conflict`, code `other-currency`.
 */
export function recordFor(known: Partial<StoreRecord> | undefined, options: PrepareOptions): StoreRecord {
  const currency = known?.currency ?? options.currency ?? DEFAULT_CURRENCY;
  if (options.currency !== undefined && options.currency !== currency) throw otherCurrency(currency);
  const address = options.address ?? known?.address;
  return { currency, ...(address !== undefined && { address }) };
}
