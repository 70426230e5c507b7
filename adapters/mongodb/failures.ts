import {
  MongoBulkWriteError,
  MongoError,
  MongoNetworkError,
  MongoServerError,
  MongoWriteConcernError,
  WriteConcern,
  type ClientSession,
  type MongoClient,
  type ServerSessionId,
  type TransactionOptions,
} from 'mongodb';
import { setTimeout } from 'node:timers/promises';
import { DomainError } from '../../domain/errors.js';

/** In milliseconds: for how long a write is begun anew before it is given up; the last try may take some seconds more. */
const PATIENCE = 6_000;

/** For every command: after that the server gives it up. */
export const WITHIN = { maxTimeMS: 2_000 };

/** How often what was withdrawn meanwhile is read again. */
export const MOST_TRIES = 20;

/** For reads of many documents: in one answer, where the driver else has the first 101 sent and asks for the rest. */
export const AT_ONCE = { ...WITHIN, batchSize: 10_000 };

/** Errors of the driver before anything went over the wire, by their names, since it does not export all of the classes. */
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
 * Codes by which a server says that it cannot do it now: not the primary or on the way to that, shutting down, out of time, interrupted
 * (https://github.com/mongodb/mongo/blob/master/src/mongo/base/error_codes.yml).
 */
const CANNOT_NOW = new Set([6, 7, 50, 63, 64, 89, 91, 112, 133, 134, 189, 202, 262, 279, 317, 358, 9001, 10107, 11600, 11601, 11602, 13435, 13436]);

const DUPLICATE_KEY = 11_000;

/**
 * What an error says of an operation: it was never sent, it was undone, or it may have been done. Undefined when it is none of that. The driver
 * puts what went wrong with a batch as a whole inside another error.
 */
export function fateOf(error: unknown): 'never-sent' | 'undone' | 'unknown' | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error instanceof MongoBulkWriteError) {
    if (error.errorResponse instanceof Error) return fateOf(error.errorResponse);
    if (error.result.getWriteConcernError() !== undefined) return 'unknown';
  }
  if (NEVER_SENT.has(error.name) || isUnavailable(error)) return 'never-sent';
  if (error instanceof MongoError && error.hasErrorLabel('TransientTransactionError')) return 'undone';
  if (error instanceof MongoNetworkError || error instanceof MongoWriteConcernError) return 'unknown';
  if (TIMED_OUT.has(error.name) || isOfSocket(error)) return 'unknown';
  if (error instanceof MongoError && error.hasErrorLabel('RetryableWriteError')) return 'unknown';
  const code = error instanceof MongoServerError ? error.code : undefined;
  return typeof code === 'number' && CANNOT_NOW.has(code) ? 'unknown' : undefined;
}

/** What a write to a socket that was reset fails with, which the driver at times passes on as it is, or trips over itself: only its own errors have labels. */
function isOfSocket(error: Error): boolean {
  if (error instanceof TypeError) return error.message.includes('hasErrorLabel is not a function');
  return 'syscall' in error && 'code' in error && ['ECONNRESET', 'EPIPE', 'ECONNREFUSED', 'ETIMEDOUT'].includes(String(error.code));
}

/** In milliseconds: how long a caller waits for a read. */
const LONGEST_READ = 3_000;

/** Has a caller wait no longer than that, whatever the read waits for: its turn behind others, or one command after another. */
export function inTime<Answer>(work: Promise<Answer>): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const timer = globalThis.setTimeout(() => {
      reject(unavailable(new Error('a read has taken too long')));
    }, LONGEST_READ);
    void work.then(resolve, reject).finally(() => {
      clearTimeout(timer);
    });
  });
}

/** Does a read, within the time that a caller waits; out of reach is `unavailable`. */
export async function reading<Answer>(work: (signal: AbortSignal) => Promise<Answer>): Promise<Answer> {
  try {
    return await work(AbortSignal.timeout(LONGEST_READ));
  } catch (error) {
    throw fateOf(error) === undefined ? error : unavailable(error);
  }
}

/**
 * Does a write that may be done twice without harm, again and again until it is answered or patience ends. It is told
 * whether an earlier try may have been done.
 */
export function writing<Answer>(
  client: MongoClient,
  work: (session: ClientSession, again: boolean) => Promise<Answer>,
): Promise<Answer> {
  return persisting((doubt) =>
    client.withSession(async (session) => {
      const { txnNumber } = session.serverSession;
      try {
        return await work(session, doubt.again);
      } finally {
        doubt.again ||= session.serverSession.txnNumber !== txnNumber;
      }
    }),
  );
}

/** Does a transaction as `writing` does a write. Until it is committed nothing is done. */
export function transacting<Answer>(
  client: MongoClient,
  work: (session: ClientSession, again: boolean) => Promise<Answer>,
): Promise<Answer> {
  return persisting((doubt) =>
    client.withSession({ defaultTransactionOptions: TRANSACTION }, async (session) => {
      const { again } = doubt;
      await endOrphans(client);
      try {
        session.startTransaction();
        const answer = await work(session, again);
        doubt.again = true;
        await session.commitTransaction();
        return answer;
      } catch (error) {
        if (fateOf(error) === 'undone') doubt.again = again;
        if (session.id !== undefined && session.serverSession.isDirty) orphansOf(client).add(session.id);
        throw error;
      }
    }),
  );
}

/**
 * Sessions whose transactions a server may keep open, and what they have touched locked, for a minute: nobody could tell it to give them up.
 * The driver uses none of them again after a failure of the network.
 */
const orphans = new WeakMap<MongoClient, Set<ServerSessionId>>();

function orphansOf(client: MongoClient): Set<ServerSessionId> {
  const own = orphans.get(client) ?? new Set();
  orphans.set(client, own);
  return own;
}

/** Everybody may end sessions of their own (https://www.mongodb.com/docs/manual/reference/command/killSessions/). */
async function endOrphans(client: MongoClient): Promise<void> {
  const own = orphansOf(client);
  const ending = Array.from(own);
  if (ending.length === 0) return;
  await client.db('admin').command({ killSessions: ending, ...WITHIN });
  for (const id of ending) own.delete(id);
}

/**
 * Whether a try may have been done. The last error does not tell: the driver, which tries a write twice, hides that it sent the first when it
 * finds no server for the second. But it counts the writes of a session, before it sends them.
 */
interface Doubt {
  again: boolean;
}

async function persisting<Answer>(attempt: (doubt: Doubt) => Promise<Answer>): Promise<Answer> {
  const deadline = performance.now() + PATIENCE;
  const doubt: Doubt = { again: false };
  for (;;) {
    try {
      return await attempt(doubt);
    } catch (error) {
      const fate = fateOf(error);
      if (fate === undefined) throw error;
      doubt.again ||= fate === 'unknown';
      const hopeless = fate === 'never-sent' && !doubt.again;
      if (hopeless || performance.now() > deadline) throw doubt.again ? outcomeUnknown(error) : unavailable(error);
      await setTimeout(50 + Math.random() * 200);
    }
  }
}

const TRANSACTION: TransactionOptions = {
  readConcern: { level: 'majority' },
  writeConcern: new WriteConcern('majority', undefined, true),
  readPreference: 'primary',
  maxCommitTimeMS: 2_000,
};

/**
 * Where an insert, one or an ordered batch, was stopped by a duplicate key, and by the index of which name; undefined for any other error. The
 * driver keeps of the server's answer the message alone: `E11000 duplicate key error collection: db.automations index: number dup key: ...`.
 */
export function duplicateOf(error: unknown): { at: number; index: string } | undefined {
  if (!(error instanceof MongoBulkWriteError)) return isDuplicate(error) ? { at: 0, index: indexIn(error.message) } : undefined;
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
  return new DomainError('unavailable', 'store-unsettled', 'the MongoDB store has pages that do not agree with its totals');
}

function outcomeUnknown(cause: unknown): DomainError {
  return new DomainError('outcome-unknown', 'no-answer', 'the MongoDB store did not answer a write', [], { cause });
}
