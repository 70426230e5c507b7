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

/** One document of a batch that was not written, and the reason. */
interface WriteFailure {
  readonly code: number;
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

/** TypeMismatch and PathNotViable. */
const UNFIT_FIELD = new Set<unknown>([14, 28]);

const BAD_VALUE = 2;
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
  if (NEVER_SENT.has(error.name) || isOfKind(error, 'unavailable') || isOfNames(error)) return 'never-sent';
  if (isSnapshotGone(error)) return 'never-sent';
  if (NO_ANSWER.has(error.name) || isOfSocket(error) || hasLabel(error, 'RetryableWriteError')) return 'unknown';
  return hasCode(error, CANNOT_NOW) ? 'unknown' : undefined;
}

/** Returns whether the driver or a server has given an error this label. */
export function hasLabel(error: unknown, label: string): boolean {
  return isError(error) && error.name.startsWith('Mongo') && error.hasErrorLabel?.(label) === true;
}

/** Returns whether a read may succeed when it is repeated at once, at another time of the store. */
export function isWorthRepeating(error: unknown): boolean {
  return fateOf(error) === 'unknown' || isSnapshotGone(error);
}

/** Returns whether a read asked for a moment that the server does not have: too old, or before an election is over. */
export function isSnapshotGone(error: unknown): boolean {
  return hasCode(error, SNAPSHOT_GONE);
}

/** Returns whether the server does not know the user, or does not allow it to do this. */
export function isRefusedUser(error: unknown): boolean {
  return hasCode(error, REFUSED_USER);
}

/** Returns whether the server gave up a command because of its `maxTimeMS`. */
export function isTooSlow(error: unknown): boolean {
  return hasCode(error, new Set([TIME_EXPIRED]));
}

/** Returns whether a command named an index that is not there. */
export function isIndexMissing(error: unknown): boolean {
  return hasCode(error, new Set([BAD_VALUE])) && (error as Error).message.includes('hint');
}

/** Returns whether a field that was to be changed has another type, which only damage gives it. */
export function isUnfitField(error: unknown): boolean {
  return hasCode(error, UNFIT_FIELD);
}

/** Returns whether a write met a value of a unique index. */
export function isDuplicate(error: unknown): boolean {
  return hasCode(error, new Set([DUPLICATE_KEY]));
}

/**
 * Returns the name of the unique index in which a write met a value; undefined for any other error. The message is the
 * only place that has it: `E11000 duplicate key error collection: db.automations index: seq dup key: ...`.
 */
export function duplicateIn(error: unknown): string | undefined {
  return isDuplicate(error) ? (/ index: (\S+) dup key/.exec((error as Error).message)?.[1] ?? '') : undefined;
}

/** Throws the error of an unordered batch, unless all that went wrong is that it met values of a unique index. */
export function onlyDuplicates(error: unknown): void {
  if (!isError(error) || fateOf(error) !== undefined || error.name !== 'MongoBulkWriteError') throw error;
  const failures = [error.writeErrors ?? []].flat();
  if (failures.length === 0 || failures.some(({ code }) => code !== DUPLICATE_KEY)) throw error;
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

function hasCode(error: unknown, codes: ReadonlySet<unknown>): boolean {
  return isError(error) && /^Mongo(Server|BulkWrite)Error$/.test(error.name) && codes.has(error.code);
}

function isOfKind(error: unknown, kind: ErrorKind): boolean {
  return error instanceof DomainError && error.kind === kind;
}

/** The failures of DNS look-ups, by which `mongodb+srv` finds the servers. */
function isOfNames({ syscall }: DriverError): boolean {
  return /^query[A-Z]/.test(String(syscall));
}

/** Returns whether a write to a socket has failed. The driver at times passes that error on as it is. */
function isOfSocket({ syscall, code }: DriverError): boolean {
  return syscall !== undefined && ['ECONNRESET', 'EPIPE', 'ECONNREFUSED', 'ETIMEDOUT'].includes(String(code));
}
