import { DomainError } from '../../domain/errors.js';
import type { Storage } from '../../domain/ports.js';

/** The configured storage, and what only some storages can do. */
export interface Store {
  readonly storage: Storage;
  /** Copies the store, as it is at one moment, into a new file. */
  backup(file: string): Promise<void>;
}

/** Added to a message about a missing store. */
export const HOW_TO_CREATE = 'The service makes one, as do keys issue, developers invite and categories import.';

/** Returns the error for people, who set the currency by a variable. */
export function namingCurrency(error: unknown): unknown {
  if (!(error instanceof DomainError) || error.code !== 'other-currency') return error;
  const message = `CURRENCY must be that of the store: ${error.message}. Another currency needs another store.`;
  return new Error(message, { cause: error });
}
