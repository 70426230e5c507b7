import { DomainError, type ErrorCode } from '../../../domain/errors.js';
import { codeOf } from './failures.js';

/** The parts of an error: a copied error loses its class and its fields, and one of libsql also its message. */
export interface ErrorParts extends Partial<Pick<DomainError, 'kind' | 'fields'>> {
  readonly message: string;
  readonly stack: string | undefined;
  readonly code: string;
  readonly cause: ErrorParts | undefined;
}

/** Returns what is sent of an error, its causes included. */
export function partsOf(error: unknown): ErrorParts {
  if (!(error instanceof Error)) return { message: String(error), stack: undefined, code: '', cause: undefined };
  const { message, stack, cause } = error;
  const parts = { message, stack, code: codeOf(error), cause: cause === undefined ? undefined : partsOf(cause) };
  return error instanceof DomainError ? { ...parts, kind: error.kind, fields: error.fields } : parts;
}

/** Returns the error that was sent. */
export function errorOf({ kind, code, message, fields, stack, cause }: ErrorParts): Error {
  const options = cause && { cause: errorOf(cause) };
  if (kind !== undefined) return new DomainError(kind, code as ErrorCode, message, fields, options);
  return Object.assign(new Error(message, options), { stack, code });
}
