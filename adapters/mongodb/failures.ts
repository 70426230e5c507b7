import { DomainError, type ErrorKind } from '../../domain/errors.js';

/**
 * An error as any copy of the driver makes it. It is recognised by name, code and labels: `instanceof` would only know
 * the errors of our own copy.
 */
interface DriverError extends Error {
  readonly code?: unknown;
  readonly syscall?: unknown;
  readonly hasErrorLabel?: (label: string) => boolean;
  /** The failure of a batch as a whole, inside another error. */
  readonly errorResponse?: unknown;
  readonly result?: { readonly getWriteConcernError?: () => unknown };
  readonly writeErrors?: WriteFailure | readonly WriteFailure[];
  readonly reason?: Topology;
}

/** The part of the driver's `TopologyDescription` that tells why no server was found. */
interface Topology {
  readonly setName?: string | null;
  readonly servers?: ReadonlyMap<string, { readonly address: string; readonly type: string }>;
}

/** One document of a batch that was not written: its place in the batch, and the reason. */
export interface WriteFailure {
  readonly index: number;
  readonly code: number;
  readonly errmsg?: string | undefined;
}

/** Errors of the driver before anything went over the wire. */
const NEVER_SENT = new Set([
  'MongoServerSelectionError',
  'MongoNotConnectedError',
  'MongoTopologyClosedError',
  'MongoClientClosedError',
  'MongoPoolClearedError',
  'MongoPoolClosedError',
  'MongoWaitQueueTimeoutError',
  'MongoServerClosedError',
]);

/** Errors without an answer, or with one that does not tell whether the write will last; also of an `AbortSignal`. */
const NO_ANSWER = new Set([
  'MongoNetworkError',
  'MongoNetworkTimeoutError',
  'PoolClearedOnNetworkError',
  'MongoWriteConcernError',
  'MongoOperationTimeoutError',
  'TimeoutError',
  'AbortError',
]);

/**
 * Codes by which a server says that it cannot do it now: not the primary or on the way to that, shutting down, out of
 * time, interrupted (https://github.com/mongodb/mongo/blob/master/src/mongo/base/error_codes.yml).
 */
const CANNOT_NOW = new Set<unknown>([
  6, 7, 50, 63, 64, 89, 91, 112, 133, 134, 189, 202, 262, 279, 317, 358, 9001, 10107, 11600, 11601, 11602, 13435, 13436,
]);

/** Codes by which a server refuses a user: who it is cannot be told, or has no right; and that of MongoDB Atlas. */
const REFUSED_USER = new Set<unknown>([11, 13, 18, 8_000]);

/** SnapshotUnavailable and SnapshotTooOld. */
const SNAPSHOT_GONE = new Set<unknown>([246, 239]);

const BAD_VALUE = 2;
const NAMESPACE_NOT_FOUND = 26;
const TIME_EXPIRED = 50;
const DUPLICATE_KEY = 11_000;

/**
 * Returns what an error says of an operation: it was never sent, or it may have been done. Returns undefined when it is
 * none of that.
 */
export function fateOf(error: unknown): 'never-sent' | 'unknown' | undefined {
  if (!isError(error)) return undefined;
  if (isOfKind(error, 'outcome-unknown')) return 'unknown';
  if (error.name === 'MongoBulkWriteError') {
    if (isError(error.errorResponse)) return fateOf(error.errorResponse);
    if (error.result?.getWriteConcernError?.() !== undefined) return 'unknown';
  }
  if (NEVER_SENT.has(error.name) || isUnavailable(error) || isOfNames(error)) return 'never-sent';
  if (isSnapshotGone(error)) return 'never-sent';
  if (NO_ANSWER.has(error.name) || isOfSocket(error)) return 'unknown';
  if (error.name.startsWith('Mongo') && error.hasErrorLabel?.('RetryableWriteError') === true) return 'unknown';
  return isOfServer(error) && CANNOT_NOW.has(error.code) ? 'unknown' : undefined;
}

/** Returns whether a read may succeed when it is repeated at once, at another time of the store. */
export function isWorthRepeating(error: unknown): boolean {
  return fateOf(error) === 'unknown' || (isError(error) && isSnapshotGone(error));
}

/** Returns whether a read asked for a moment that the server does not have: too old, or before an election is over. */
function isSnapshotGone(error: DriverError): boolean {
  return isOfServer(error) && SNAPSHOT_GONE.has(error.code);
}

/** Returns whether the server does not know the user, or does not allow it to do this. */
export function isRefusedUser(error: unknown): boolean {
  return isError(error) && isOfServer(error) && REFUSED_USER.has(error.code);
}

/** Returns whether the server gave up a command because of its `maxTimeMS`. */
export function isTooSlow(error: unknown): boolean {
  return isError(error) && isOfServer(error) && error.code === TIME_EXPIRED;
}

/** Returns whether a command named an index that is not there. */
export function isIndexMissing(error: unknown): boolean {
  return isError(error) && isOfServer(error) && error.code === BAD_VALUE && error.message.includes('hint');
}

/** Returns whether a command named a collection that is not there. */
export function isNamespaceMissing(error: unknown): boolean {
  return isError(error) && isOfServer(error) && error.code === NAMESPACE_NOT_FOUND;
}

/** Returns whether a write met a value of a unique index. */
export function isDuplicate(error: unknown): boolean {
  return isError(error) && isOfServer(error) && error.code === DUPLICATE_KEY;
}

/**
 * Returns the documents of an unordered batch that met a value of a unique index, if that is all that went wrong.
 * Throws any other error.
 */
export function duplicatesIn(error: unknown): readonly WriteFailure[] {
  if (!isError(error) || fateOf(error) !== undefined || error.name !== 'MongoBulkWriteError') throw error;
  const failures = [error.writeErrors ?? []].flat();
  if (failures.length === 0 || failures.some(({ code }) => code !== DUPLICATE_KEY)) throw error;
  return failures;
}

/**
 * Returns the name of the unique index. The message is the only place that has it: `E11000 duplicate key error
 * collection: db.automations index: seq dup key: ...`.
 */
export function indexOf({ errmsg = '' }: WriteFailure): string {
  return / index: (\S+) dup key/.exec(errmsg)?.[1] ?? '';
}

export function unavailable(cause: unknown): DomainError {
  const message = `the MongoDB store is out of reach: ${reasonOf(cause)}`;
  return new DomainError('unavailable', 'store-unavailable', message, [], { cause });
}

/** Returns the error of a write without an answer. */
export function outcomeUnknown(cause: unknown): DomainError {
  const message = `the MongoDB store did not answer a write: ${reasonOf(cause)}`;
  return new DomainError('outcome-unknown', 'no-answer', message, [], { cause });
}

/** Returns the cause of a failure in words. That no server was found in time says nothing of why. */
function reasonOf(cause: unknown): string {
  if (!isError(cause)) return String(cause);
  return (cause.name === 'MongoServerSelectionError' && whyNotFound(cause.reason)) || cause.message;
}

/** Returns why no server was found, as far as the driver's view of the servers tells it better than its error. */
function whyNotFound({ setName = null, servers = new Map() }: Topology = {}): string | undefined {
  const found = Array.from(servers.values());
  const notInitiated = found.find(({ type }) => type === 'RSGhost');
  if (notInitiated !== undefined)
    return `${notInitiated.address} is not initiated; run mongosh --eval "rs.initiate()" on it once`;
  if (found.length === 0 && setName !== null)
    return `no server of the connection string is in a replica set with the name "${setName}"`;
  if (found.some(({ type }) => type === 'RSSecondary')) return 'the replica set has no primary';
  return undefined;
}

function isError(error: unknown): error is DriverError {
  return error instanceof Error;
}

function isOfServer({ name }: Error): boolean {
  return name === 'MongoServerError' || name === 'MongoBulkWriteError';
}

/** Returns whether a read has failed, when a write reads before it goes on. */
export function isUnavailable(error: unknown): boolean {
  return isOfKind(error, 'unavailable');
}

function isOfKind(error: unknown, kind: ErrorKind): boolean {
  return error instanceof DomainError && error.kind === kind;
}

/** The failures of DNS look-ups, by which `mongodb+srv` finds the servers. */
function isOfNames({ syscall }: DriverError): boolean {
  return /^query[A-Z]/.test(String(syscall));
}

/**
 * Returns whether a write to a socket that was reset has failed. The driver at times passes that error on as it is, or
 * trips over it: only its own errors have labels.
 */
function isOfSocket(error: DriverError): boolean {
  if (error instanceof TypeError) return error.message.includes('hasErrorLabel is not a function');
  const { syscall, code } = error;
  return syscall !== undefined && ['ECONNRESET', 'EPIPE', 'ECONNREFUSED', 'ETIMEDOUT'].includes(String(code));
}
