import type { Currency } from '../domain/currency.js';

/** What a module that `STORAGE` names gets. */
export interface StorageSettings {
  readonly currency: Currency;
  /** Whether the storage is to keep a search index. */
  readonly search: boolean;
  /** The folder of `DATA_DIR`, which may not exist yet. */
  readonly dataDir: string;
  /** All environment variables. */
  readonly env: Readonly<Record<string, string | undefined>>;
}
