import { DomainError } from '../../domain/errors.js';
import type { Storage } from '../../domain/ports.js';
import type { Config } from '../config/config.js';

/** The configured storage, and what only some storages can do. */
export interface Store {
  readonly storage: Storage;
  /** Copies the store, as it is at one moment, into a new file. */
  backup(file: string): Promise<void>;
}

/** Added to a message about a missing store. */
export const HOW_TO_CREATE = 'The service makes one, as do keys issue, developers invite and categories import.';

/**
 * Makes the store ready.
 * @throws Error when it has another currency; DomainError `unavailable` when it is not reachable.
 */
export async function prepareStore(storage: Storage, { currency }: Pick<Config, 'currency'>): Promise<void> {
  try {
    await storage.prepare({ currency });
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'other-currency') throw error;
    throw new Error(
      `CURRENCY must be that of the store: ${error.message}. Its prices are in it; another currency needs another store.`,
      { cause: error },
    );
  }
}
