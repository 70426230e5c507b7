import { setTimeout } from 'node:timers/promises';
import type { IfMissing } from '../../adapters/cli/index.js';
import type { Currency } from '../../domain/currency.js';
import { DomainError } from '../../domain/errors.js';
import type { Storage, StoreRecord } from '../../domain/ports.js';
import type { Config } from '../config/config.js';

/** The configured storage, and what only some storages can do. */
export interface Store {
  readonly storage: Storage;
  /** Copies the store, as it is at one moment, into a new file. */
  backup(file: string): Promise<void>;
}

/** How a store is opened. */
export interface OpenOptions {
  /** `create` by default. */
  readonly ifMissing?: IfMissing | undefined;
  /** Is told where a store is made that was missing. */
  readonly onNew?: ((place: string) => void) | undefined;
  /** Gets each failure of the store's work in the background. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/** Added to a message about a missing store. */
export const HOW_TO_CREATE = 'The service makes one, as do keys issue, developers invite and categories import.';

const MAX_WAIT_MS = 5_000;

/** Prepares the store and returns what it has recorded. @throws Error for people when it has another currency. */
export async function prepare(storage: Storage, config: Config): Promise<StoreRecord> {
  try {
    return await storage.prepare(config.isCurrencyGiven ? { currency: config.currency } : {});
  } catch (error) {
    throw namingCurrency(error);
  }
}

/** Returns the currency of the store; the configured one while the store does not respond. */
export async function currencyOf(storage: Storage, config: Config): Promise<Currency> {
  const { currency, isCurrencyGiven } = config;
  if (isCurrencyGiven) return currency;
  const recorded = prepare(storage, config).then(
    (record) => record.currency,
    () => currency,
  );
  return Promise.race([recorded, setTimeout(MAX_WAIT_MS, currency, { ref: false })]);
}

/** Returns the error for people, who set the currency by a variable. */
export function namingCurrency(error: unknown): unknown {
  if (!(error instanceof DomainError) || error.code !== 'other-currency') return error;
  const message = `CURRENCY must be that of the store: ${error.message}. Another currency needs another store.`;
  return new Error(message, { cause: error });
}
