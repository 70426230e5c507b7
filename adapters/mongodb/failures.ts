import { DomainError, type ErrorCode, type ErrorKind } from '../../domain/errors.js';
import { causeWith, withoutAddresses } from '../storage/without-addresses.js';

/**
 * An error as any copy of the driver makes it. It is recognised by name, code and labels: `instanceof` would only know
 * the errors of our own copy, and of our own realm.
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
  readonly servers?: ReadonlyMap<string, { readonly type: string }>;
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

/** Errors without an answer, or with one that does not tell whether the write will last. */
const NO_ANSWER = new Set([
  'MongoNetworkError',
  'MongoNetworkTimeoutError',
  'PoolClearedOnNetworkError',
  'MongoWriteConcernError',
  'MongoOperationTimeoutError',
]);

/**
 * Codes by which a server says that it cannot do it now: not the primary or on the way to that, shutting down, out of
 * time, interrupted (https://github.com/mongodb/mongo/blob/master/src/mongo/base/error_codes.yml).
 */
const CANNOT_NOW = [
  6, 7, 50, 63, 64, 89, 91, 112, 133, 134, 189, 202, 262, 279, 317, 358, 9001, 10107, 11600, 11601, 11602, 13435, 13436,
];
/** Codes by which a server refuses a user: who it is cannot be told, or has no right; and that of MongoDB Atlas. */
const REFUSED_USER = [11, 13, 18, 8_000];
/** SnapshotUnavailable and SnapshotTooOld. */
const SNAPSHOT_GONE = [246, 239];
/** TypeMismatch and PathNotViable. */
const UNFIT_FIELD = [14, 28];
/** An administrator, or the server's own guard of its disk, lets no user write. */
const USER_WRITES_BLOCKED = 371;
const OUT_OF_DISK_SPACE = 14_031;
/** How the operating system, MongoDB Atlas and a server that guards its disk say that there is no room. */
const NO_ROOM = /No space left on device|over your space quota|DiskUseThreshold/i;
const BAD_VALUE = 2;
const NAMESPACE_NOT_FOUND = 26;
const TIME_EXPIRED = 50;
const DUPLICATE_KEY = 11_000;

/**
 * Returns what an error says of an operation: it was never done, or it may have been done. Returns undefined when it is
 * none of that.
 */
export function fateOf(error: unknown): 'not-done' | 'unknown' | undefined {
  if (!isError(error)) return undefined;
  if (isOfKind(error, 'outcome-unknown')) return 'unknown';
  if (isOfKind(error, 'unavailable') || isSnapshotGone(error)) return 'not-done';
  if (isFull(error) || hasCode(error, USER_WRITES_BLOCKED)) return 'not-done';
  if (error.name === 'MongoBulkWriteError') {
    if (isError(error.errorResponse)) return fateOf(error.errorResponse);
    if (error.result?.getWriteConcernError?.() !== undefined) return 'unknown';
  }
  if (NEVER_SENT.has(error.name) || isOfNames(error)) return 'not-done';
  if (NO_ANSWER.has(error.name) || isOfSocket(error) || hasLabel(error, 'RetryableWriteError')) return 'unknown';
  return hasCode(error, ...CANNOT_NOW) ? 'unknown' : undefined;
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
  return hasCode(error, ...SNAPSHOT_GONE);
}

/** Returns whether the server does not know the user, or does not allow it to do this. */
export function isRefusedUser(error: unknown): boolean {
  return hasCode(error, ...REFUSED_USER) && !isFull(error);
}

/** Returns whether the server has no room for a write. */
export function isFull(error: unknown): boolean {
  return hasCode(error, OUT_OF_DISK_SPACE) || (isOfServer(error) && NO_ROOM.test(error.message));
}

/** Returns whether the server gave up a command because of its `maxTimeMS`. */
export function isTooSlow(error: unknown): boolean {
  return hasCode(error, TIME_EXPIRED);
}

/** Returns whether a command named a collection that is not there. */
export function isCollectionMissing(error: unknown): boolean {
  return hasCode(error, NAMESPACE_NOT_FOUND);
}

/** Returns whether a command named an index that is not there. */
export function isIndexMissing(error: unknown): boolean {
  return hasCode(error, BAD_VALUE) && (error as Error).message.includes('hint');
}

/** Returns whether a field that was to be changed has another type, which only damage gives it. */
export function isUnfitField(error: unknown): boolean {
  return hasCode(error, ...UNFIT_FIELD);
}

/** Returns whether a write met a value of a unique index. */
export function isDuplicate(error: unknown): boolean {
  return hasCode(error, DUPLICATE_KEY);
}

/**
 * Returns the collection and the unique index in which a write met a value, such as `automations.seq`; undefined for
 * any other error. Only the message has both: `E11000 duplicate key error collection: db.automations index: seq dup`.
 */
export function duplicateIn(error: unknown): string | undefined {
  if (!isDuplicate(error)) return undefined;
  const [, collection, index] = / collection: [^.]+\.(\S+) index: (\S+) dup key/.exec((error as Error).message) ?? [];
  return `${collection}.${index}`;
}

/** Throws the error of an unordered batch, unless all that went wrong is that it met values of a unique index. */
export function onlyDuplicates(error: unknown): void {
  if (!isError(error) || fateOf(error) !== undefined || error.name !== 'MongoBulkWriteError') throw error;
  const failures = [error.writeErrors ?? []].flat();
  if (failures.length === 0 || failures.some(({ code }) => code !== DUPLICATE_KEY)) throw error;
}

/** Returns the error of an operation that was not done. */
export function unavailable(cause: unknown): DomainError {
  const [code, what] = whatIsWrong(cause);
  const reason = reasonOf(cause);
  const options = { cause: causeWith(reason, cause) };
  return new DomainError('unavailable', code, `the MongoDB store ${what}: ${reason}`, [], options);
}

function whatIsWrong(cause: unknown): readonly [code: ErrorCode, what: string] {
  if (isFull(cause)) return ['store-full', 'has no room left'];
  if (hasCode(cause, USER_WRITES_BLOCKED)) return ['store-read-only', 'takes no writes at the moment'];
  return ['store-unavailable', 'is out of reach'];
}

/** Returns the error of a write without an answer. */
export function outcomeUnknown(cause: unknown): DomainError {
  const reason = reasonOf(cause);
  const message = `the MongoDB store did not answer a write: ${reason}`;
  return new DomainError('outcome-unknown', 'no-answer', message, [], { cause: causeWith(reason, cause) });
}

/** Returns the error of the port for one that says that nothing was done, or that a read failed; others unchanged. */
export function translated(error: unknown): unknown {
  return error instanceof DomainError || fateOf(error) === undefined ? error : unavailable(error);
}

/** Returns the cause of a failure in words. That no server was found in time says nothing of why. */
function reasonOf(cause: unknown): string {
  if (!isError(cause)) return String(cause);
  const why = cause.name === 'MongoServerSelectionError' ? whyNotFound(cause.reason) : undefined;
  return why ?? withoutAddresses(cause.message);
}

/** Returns why no server was found, as far as the driver's view of the servers tells it better than its error. */
function whyNotFound({ setName = null, servers = new Map() }: Topology = {}): string | undefined {
  const found = Array.from(servers.values());
  if (found.some(({ type }) => type === 'RSGhost'))
    return 'a server of the connection string is not initiated; run mongosh --eval "rs.initiate()" on it once';
  if (found.length === 0 && setName !== null)
    return 'no server of the connection string is in a replica set with the name that it gives';
  if (found.some(({ type }) => type === 'RSSecondary')) return 'the replica set has no primary';
  return undefined;
}

function isError(error: unknown): error is DriverError {
  const { name, message } = (error ?? {}) as Partial<DriverError>;
  return typeof name === 'string' && typeof message === 'string';
}

/** Returns whether a server has answered with an error. */
function isOfServer(error: unknown): error is DriverError {
  return isError(error) && /^Mongo(Server|BulkWrite)Error$/.test(error.name);
}

function hasCode(error: unknown, ...codes: readonly unknown[]): boolean {
  return isOfServer(error) && codes.includes(error.code);
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
