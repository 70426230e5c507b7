import { DomainError, notPrepared, type ErrorCode } from '../../../domain/errors.js';

const LOCKED = /^SQLITE_(BUSY|LOCKED)/;
const OUT_OF_REACH = /^SQLITE_(BUSY|LOCKED|IOERR|CANTOPEN|NOMEM)/;
const READ_ONLY = /^SQLITE_READONLY/;
const DAMAGED = /^SQLITE_(CORRUPT|NOTADB)/;
const FULL = 'SQLITE_FULL';

const HOW_TO_REPAIR = 'stop what uses it, and put a backup in its place ("restore FILE")';

/** Returns the code of an error of SQLite or of the file system; empty for others. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** Returns the message of an error of SQLite or of the file system. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Returns whether another connection holds a lock that the call needs. */
export function isLocked(error: unknown): boolean {
  return LOCKED.test(codeOf(error));
}

/** Returns whether the file has bytes that SQLite did not write. */
export function isDamage(error: unknown): boolean {
  return DAMAGED.test(codeOf(error));
}

/** Returns the error of calls on a closed store. */
export function storeClosed(): DomainError {
  return new DomainError('unavailable', 'store-closed', 'the SQLite store is closed');
}

/** Returns the error of a commit. Without room, or without the lock, nothing of it counts. */
export function commitFailure(error: unknown): unknown {
  if (isLocked(error) || codeOf(error) === FULL) return error;
  const message = `the commit failed, and it may have reached the disk: ${messageOf(error)}`;
  return new DomainError('outcome-unknown', 'commit-failed', message, [], { cause: error });
}

/** Returns the error of the port for one of SQLite, with its cause in words. Any other error comes back unchanged. */
export function translated(error: unknown, file: string): unknown {
  const code = codeOf(error);
  const unavailable = (as: ErrorCode, what: string) => {
    const message = `the SQLite store ${file} ${what}: ${messageOf(error)}`;
    return new DomainError('unavailable', as, message, [], { cause: error });
  };
  if (code === FULL) return unavailable('store-full', 'has no room left');
  if (READ_ONLY.test(code)) return unavailable('store-read-only', 'takes no writes at the moment');
  if (isDamage(error)) return unavailable('store-damaged', `is damaged; ${HOW_TO_REPAIR}`);
  if (code === 'SQLITE_ERROR' && /^no such table: /.test(messageOf(error))) return notPrepared();
  return OUT_OF_REACH.test(code) ? unavailable('store-unavailable', 'is out of reach') : error;
}

/** The parts of an error: a copied error loses its class and its fields, and one of libsql also its message. */
export interface ErrorParts extends Partial<Pick<DomainError, 'kind' | 'fields'>> {
  readonly message: string;
  readonly stack?: string | undefined;
  readonly code: string;
  readonly cause?: ErrorParts | undefined;
}

/** Returns what a thread sends of an error, its causes included. */
export function partsOf(error: unknown): ErrorParts {
  const [message, code] = [messageOf(error), codeOf(error)];
  if (!(error instanceof Error)) return { message, code };
  const cause = error.cause === undefined ? undefined : partsOf(error.cause);
  const parts = { message, code, stack: error.stack, cause };
  return error instanceof DomainError ? { ...parts, kind: error.kind, fields: error.fields } : parts;
}

/** Returns the error that a thread has sent. */
export function errorOf({ kind, code, message, fields, stack, cause }: ErrorParts): Error {
  const options = cause && { cause: errorOf(cause) };
  if (kind !== undefined) return new DomainError(kind, code as ErrorCode, message, fields, options);
  return Object.assign(new Error(message, options), { stack, code });
}
