import type { ContainerModule } from 'inversify';
import type { Missing } from '../adapters/cli/index.js';

/** What the service asks of its storage beside the ports. */
export interface Store {
  /**
   * Makes the store ready, notes a currency for good if there is none yet, and answers the one that is noted. Rejects as `unavailable` when it is out of reach, and with a
   * sentence for people when there is no store and none is to be made.
   */
  noteCurrency(currency: string, missing?: Missing): Promise<string>;
  /** Rejects when the store is out of reach. */
  ping(): Promise<void>;
  /** Copies it, as it is at one moment, into a file that is not there yet. */
  backup(file: string): Promise<void>;
  close(): void | Promise<void>;
}

/** For whoever looks for a store where there is none. */
export const MAKERS = 'The service makes one, as do keys issue, developers invite and categories import.';

export interface Storage {
  readonly module: ContainerModule;
  readonly store: Store;
}
