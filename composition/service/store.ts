import type { IfMissing } from '../../adapters/cli/index.js';
import type { Config } from '../config/config.js';

/** What the program needs of its storage in addition to the ports. */
export interface Store {
  /**
   * Makes the store ready, records a currency permanently if there is none yet, and returns the recorded one. Rejects
   * as `unavailable` when the store is not reachable, and with a sentence for people when there is none and none may be
   * made.
   */
  recordCurrency(currency: string, ifMissing?: IfMissing): Promise<string>;
  /** Rejects when the store is not reachable. */
  ping(): Promise<void>;
  /** Copies the store, as it is at one moment, into a new file. */
  backup(file: string): Promise<void>;
  close(): void | Promise<void>;
}

/** Added to a message about a missing store. */
export const HOW_TO_CREATE = 'The service makes one, as do keys issue, developers invite and categories import.';

/**
 * Makes the store ready.
 * @throws Error when it has another currency, or must be there and is not; DomainError `unavailable` when it is not
 * reachable.
 */
export async function prepareStore(store: Store, config: Config, ifMissing: IfMissing = 'create'): Promise<void> {
  const recorded = await store.recordCurrency(config.currency, ifMissing);
  if (recorded === config.currency) return;
  throw new Error(
    `CURRENCY must be ${recorded}: the store was made with it, and its prices are in it. Another currency needs ` +
      `another store.`,
  );
}
