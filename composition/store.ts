import type { ContainerModule } from 'inversify';

/** What the service asks of its storage beside the ports. */
export interface Store {
  /** Makes the store ready, notes a currency for good if there is none yet, and answers the one that is noted. Rejects as `unavailable` when it is out of reach. */
  noteCurrency(currency: string): Promise<string>;
  /** Rejects when the store is out of reach. */
  ping(): Promise<void>;
  /** Copies it, as it is at one moment, into a file that is not there yet. */
  backup(file: string): Promise<void>;
  close(): void | Promise<void>;
}

export interface Storage {
  readonly module: ContainerModule;
  readonly store: Store;
}
