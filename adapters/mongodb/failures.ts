import { MongoBulkWriteError, MongoError, MongoNetworkError, MongoServerError, MongoWriteConcernError } from 'mongodb';
import { DomainError } from '../../domain/errors.js';

/**
 * Errors of the driver before anything went over the wire, by their names, since it does not export all of the classes.
 */
const NEVER_SENT = new Set([
  'MongoServerSelectionError',
  'MongoNotConnectedError',
  'MongoTopologyClosedError',
  'MongoClientClosedError',
  'MongoPoolClearedError',
  'MongoPoolClosedError',
  'MongoWaitQueueTimeoutError',
]);

/** Errors of an `AbortSignal`, as such and as the driver passes them on. */
const TIMED_OUT = new Set(['TimeoutError', 'AbortError', 'MongoOperationTimeoutError']);

/**
 * Codes by which a server says that it cannot do it now: not the primary or on the way to that, shutting down, out of
 * time, interrupted (https://github.com/mongodb/mongo/blob/master/src/mongo/base/error_codes.yml).
 */
const CANNOT_NOW = new Set([
  6, 7, 50, 63, 64, 89, 91, 112, 133, 134, 189, 202, 262, 279, 317, 358, 9001, 10107, 11600, 11601, 11602, 13435, 13436,
]);

/** Codes by which a server refuses a user: who it is cannot be told, or has no right; and that of MongoDB Atlas. */
const REFUSED_USER = new Set<unknown>([11, 13, 18, 8_000]);

const DUPLICATE_KEY = 11_000;

/**
 * What an error says of an operation: it was never sent, it was undone, or it may have been done. Undefined when it is
 * none of that. The driver puts what went wrong with a batch as a whole inside another error.
 */
export function fateOf(error: unknown): 'never-sent' | 'undone' | 'unknown' | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error instanceof MongoBulkWriteError) {
    if (error.errorResponse instanceof Error) return fateOf(error.errorResponse);
    if (error.result.getWriteConcernError() !== undefined) return 'unknown';
  }
  if (NEVER_SENT.has(error.name) || isUnavailable(error) || isOfNames(error)) return 'never-sent';
  if (error instanceof MongoError && error.hasErrorLabel('TransientTransactionError')) return 'undone';
  if (error instanceof MongoNetworkError || error instanceof MongoWriteConcernError) return 'unknown';
  if (TIMED_OUT.has(error.name) || isOfSocket(error)) return 'unknown';
  if (error instanceof MongoError && error.hasErrorLabel('RetryableWriteError')) return 'unknown';
  const code = error instanceof MongoServerError ? error.code : undefined;
  return typeof code === 'number' && CANNOT_NOW.has(code) ? 'unknown' : undefined;
}

/** The failures of DNS look-ups, by which `mongodb+srv` finds the servers. */
function isOfNames(error: Error): boolean {
  return 'syscall' in error && /^query[A-Z]/.test(String(error.syscall));
}

/** Returns whether the server does not know the user, or does not allow it to do this. */
export function isRefusedUser(error: unknown): boolean {
  return error instanceof MongoServerError && REFUSED_USER.has(error.code);
}

/**
 * What a write to a socket that was reset fails with, which the driver at times passes on as it is, or trips over
 * itself: only its own errors have labels.
 */
function isOfSocket(error: Error): boolean {
  if (error instanceof TypeError) return error.message.includes('hasErrorLabel is not a function');
  return (
    'syscall' in error &&
    'code' in error &&
    ['ECONNRESET', 'EPIPE', 'ECONNREFUSED', 'ETIMEDOUT'].includes(String(error.code))
  );
}

/**
 * Where an insert, one or an ordered batch, was stopped by a duplicate key, and by the index of which name; undefined
 * for any other error. The driver keeps of the server's answer the message alone: `E11000 duplicate key error
 * collection: db.automations index: number dup key: ...`.
 */
export function duplicateOf(error: unknown): { at: number; index: string } | undefined {
  if (!(error instanceof MongoBulkWriteError))
    return isDuplicate(error) ? { at: 0, index: indexIn(error.message) } : undefined;
  const [first] = error.result.getWriteConcernError() === undefined ? error.result.getWriteErrors() : [];
  return first?.code === DUPLICATE_KEY ? { at: first.index, index: indexIn(first.errmsg) } : undefined;
}

function indexIn(message = ''): string {
  return / index: (\S+) dup key/.exec(message)?.[1] ?? '';
}

export function isDuplicate(error: unknown): error is MongoServerError {
  return error instanceof MongoServerError && error.code === DUPLICATE_KEY;
}

/** What `reading` makes of an error, when a write reads before it goes on. */
function isUnavailable(error: Error): boolean {
  return error instanceof DomainError && error.kind === 'unavailable';
}

export function unavailable(cause: unknown): DomainError {
  return new DomainError('unavailable', 'store-unavailable', 'the MongoDB store is out of reach', [], { cause });
}

/** What is read went on changing while it was read, or does not agree with itself. */
export function unsettled(): DomainError {
  return new DomainError(
    'unavailable',
    'store-unsettled',
    'the MongoDB store has pages that do not agree with its totals',
  );
}

/** A write without an answer. */
export function outcomeUnknown(cause: unknown): DomainError {
  return new DomainError('outcome-unknown', 'no-answer', 'the MongoDB store did not answer a write', [], { cause });
}
