import { DomainError } from '../../domain/errors.js';

/** Returns whether a write failed since the store takes none at the moment, though it can be read. */
export function isRefusedWrite(error: unknown): boolean {
  return error instanceof DomainError && (error.code === 'store-full' || error.code === 'store-read-only');
}
