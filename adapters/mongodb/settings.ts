import type { OnDifference } from './self-check.js';

/** Settings of a storage in MongoDB, or of one of its parts. */
export interface MongoStorageSettings {
  /** Gets each difference that the background check has found and corrected. */
  readonly onDifference?: OnDifference | undefined;
  /** Gets each failure of work in the background, which is tried again. */
  readonly onError?: ((error: unknown) => void) | undefined;
  /** Whether to keep words, by which automations are found; true by default. */
  readonly search?: boolean | undefined;
}
