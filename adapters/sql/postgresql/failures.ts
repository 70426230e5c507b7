import { causeWith, withoutAddresses } from '../../storage/without-addresses.js';
import { DomainError, notPrepared, type ErrorCode } from '../../../domain/errors.js';

/** A failure by its SQLSTATE (https://www.postgresql.org/docs/current/errcodes-appendix.html), and what it is called. */
const FAILURES: readonly (readonly [states: RegExp, code: ErrorCode, what: string])[] = [
  [/^$/, 'store-unavailable', 'cannot be reached'],
  [/^53100$/, 'store-full', 'has no room left'],
  [/^XX00[12]$/, 'store-damaged', 'has damaged data; put a backup in its place'],
  [/^(28|3D000)/, 'store-unavailable', 'refuses the connection'],
  [/^42501$/, 'store-unavailable', 'refuses the user'],
  [/^25006$/, 'store-read-only', 'takes no writes at the moment'],
  [/^57014$/, 'store-unavailable', 'has taken too long'],
  [/^(08|25P03|40|53|55P03|57|58)/, 'store-unavailable', 'is out of reach'],
];

/** Errors that name the user, the database or the machine, which are parts of the connection string. */
const NAMING = /^(08|28|3D|53300|55000)/;

/** Errors after which a session is over, or stays as it was when it began. */
const LASTING = /^(08|25006|25P03|57P)/;

/** The primary keys that a sequence numbers. */
const NUMBERS = ['automations_pkey', 'api_keys_pkey', 'developers_pkey'];

/** A commit with one of these has been undone: a constraint, a rollback, a time limit. */
const UNDONE = /^(23|40|57014$)/;

/** Returns the error of a call on a closed store. */
export function storeClosed(): DomainError {
  return new DomainError('unavailable', 'store-closed', 'the PostgreSQL store is closed');
}

/** Returns the SQLSTATE of an error of the server, or of one that it caused; empty for an error of the connection. */
export function sqlStateOf(error: unknown): string {
  const { code, severity } = partsOf(error);
  if (error instanceof DomainError) return sqlStateOf(error.cause);
  return typeof code === 'string' && severity !== undefined ? code : '';
}

/** Returns whether a new row got a number that another row has: the sequence of its table is behind. */
export function isBehind(error: unknown): boolean {
  const { constraint } = partsOf(error);
  return sqlStateOf(error) === '23505' && NUMBERS.includes(String(constraint));
}

/** Returns whether the same transaction may succeed when it runs again. */
export function isTransient(error: unknown): boolean {
  return /^40(001|P01)$/.test(sqlStateOf(error));
}

/** Returns whether a session takes no writes. Nothing was stored. */
export function isReadOnly(error: unknown): boolean {
  return sqlStateOf(error) === '25006';
}

/** Returns the error of a session that takes no writes. */
export function readOnlySession(): DomainError {
  const cause = Object.assign(new Error('the session is read-only'), { code: '25006', severity: 'ERROR' });
  return translated(cause) as DomainError;
}

/** Returns whether a connection must not be used again. */
export function isLasting(error: unknown): boolean {
  return LASTING.test(sqlStateOf(error));
}

/** Returns whether the server refuses the user, or a database of that name. It stays so until it is changed there. */
export function isRefusedUser(error: unknown): boolean {
  return /^(28|3D000|42501)/.test(sqlStateOf(error));
}

/** Returns whether the server has no database of this name. */
export function isUnknownDatabase(error: unknown): boolean {
  return sqlStateOf(error) === '3D000';
}

/** Returns the error of the port for one of the driver, with its cause in words. Any other comes back unchanged. */
export function translated(error: unknown): unknown {
  if (error instanceof DomainError) return error;
  const state = sqlStateOf(error);
  if (/^(42P01|3F000)$/.test(state)) return notPrepared();
  const failure = FAILURES.find(([states]) => states.test(state));
  if (failure === undefined) return error;
  const [, code, what] = failure;
  const reason = reasonOf(error);
  return new DomainError('unavailable', code, `PostgreSQL ${what}: ${reason}`, [], { cause: causeWith(reason, error) });
}

/** Returns the error of a commit. One that has not been undone for certain may have been stored. */
export function commitFailure(error: unknown): unknown {
  if (UNDONE.test(sqlStateOf(error))) return translated(error);
  const reason = reasonOf(error);
  const message = `PostgreSQL has not confirmed the commit: ${reason}`;
  return new DomainError('outcome-unknown', 'no-answer', message, [], { cause: causeWith(reason, error) });
}

/** The driver has several errors where a name has several addresses. */
function reasonOf(error: unknown): string {
  const [first] = error instanceof AggregateError ? (error.errors as readonly unknown[]) : [error];
  const state = sqlStateOf(first);
  if (NAMING.test(state)) return `its error is ${state}`;
  return withoutAddresses(first instanceof Error ? first.message : String(first));
}

interface ErrorParts {
  readonly code?: unknown;
  readonly severity?: unknown;
  readonly constraint?: string | undefined;
}

function partsOf(error: unknown): ErrorParts {
  return typeof error === 'object' && error !== null ? error : {};
}
