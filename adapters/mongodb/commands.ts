import type { Db, MongoClient } from 'mongodb';
import { setTimeout } from 'node:timers/promises';
import { DomainError, notPrepared } from '../../domain/errors.js';
import { AUTOMATIONS, LAST_INDEX } from './collections.js';
import { fateOf, isNamespaceMissing, isUnavailable, outcomeUnknown, unavailable } from './failures.js';

/** The limits of every command: after this time the server gives it up. */
export const READ = { maxTimeMS: 2_000 };
export const WRITE = { maxTimeMS: 5_000 };

/**
 * The server builds an index on while no process waits for it, up to this time. The driver's own method sets no limit.
 */
export const BUILDING = { maxTimeMS: 30 * 60_000 };

/** For reads of many documents: all in one answer, where the driver has 101 sent first and asks for the rest. */
export const READ_ALL = { ...READ, batchSize: 10_000 };

/** The time that a caller waits for a read. */
const READ_TIMEOUT_MS = 3_000;

/** A write is repeated for this time before it fails. The last try may take some seconds more. */
const RETRY_DEADLINE_MS = 6_000;

/** The time that a caller waits for a write, whatever its last try waits for. */
const WRITE_TIMEOUT_MS = 12_000;

const tooLate = () => unavailable(new Error('a read has taken too long'));

/** Rejects, as `unavailable` if not told otherwise, when a read takes longer than a caller waits. */
export function inTime<Answer>(work: Promise<Answer>, late = tooLate): Promise<Answer> {
  return before(READ_TIMEOUT_MS, work, late);
}

/** Rejects, as `outcome-unknown`, when a write takes longer than a caller waits, also for the writes before it. */
export function inWriteTime<Answer>(work: Promise<Answer>): Promise<Answer> {
  return before(WRITE_TIMEOUT_MS, work, () => outcomeUnknown(new Error('a write has taken too long')));
}

/** Does a read, within the time that a caller waits. Rejects as `unavailable` when the store is out of reach. */
export async function reading<Answer>(work: (signal: AbortSignal) => Promise<Answer>): Promise<Answer> {
  try {
    return await work(AbortSignal.timeout(READ_TIMEOUT_MS));
  } catch (error) {
    throw error instanceof DomainError || fateOf(error) === undefined ? error : unavailable(error);
  }
}

/**
 * Does a write of a repository, as `persistently` does it. Rejects as `unavailable`, code `not-prepared`, and writes
 * nothing, in a database that was not prepared.
 */
export async function writing<Answer>(db: Db, work: (again: boolean) => Promise<Answer>): Promise<Answer> {
  await checkPrepared(db);
  return persistently(db.client, work);
}

/** Once a database was prepared, it is not asked again. */
const prepared = new WeakMap<Db, Promise<void>>();

/** Rejects while a database has not been prepared, by any process: unique indexes decide between writers. */
function checkPrepared(db: Db): Promise<void> {
  const known = prepared.get(db);
  if (known !== undefined) return known;
  const asked = refuseUnprepared(db);
  prepared.set(db, asked);
  asked.catch(() => prepared.delete(db));
  return asked;
}

async function refuseUnprepared(db: Db): Promise<void> {
  const isPrepared = await reading(async (signal) => {
    try {
      const { cursor } = await db.command({ listIndexes: AUTOMATIONS, ...READ }, { readPreference: 'primary', signal });
      return (cursor as { firstBatch: { name: string }[] }).firstBatch.some(({ name }) => name === LAST_INDEX);
    } catch (error) {
      if (isNamespaceMissing(error)) return false;
      throw error;
    }
  });
  if (!isPrepared) throw notPrepared('prepare({ currency }) of the storage, or prepareMongo(db)');
}

/**
 * Does a write that may be done twice without harm, until it is answered or its time is over. The write is told whether
 * an earlier try may have been done. Rejects as `unavailable` when none was sent, else as `outcome-unknown`.
 */
export async function persistently<Answer>(
  client: MongoClient,
  work: (again: boolean) => Promise<Answer>,
): Promise<Answer> {
  const doubt = { again: false };
  const failed = (error: unknown) => (doubt.again ? outcomeUnknown(error) : unavailable(error));
  return before(WRITE_TIMEOUT_MS, untilAnswered(client, work, doubt, failed), () => {
    doubt.again = true;
    return failed(new Error('a write has taken too long'));
  });
}

async function untilAnswered<Answer>(
  client: MongoClient,
  work: (again: boolean) => Promise<Answer>,
  doubt: { again: boolean },
  failed: (error: unknown) => Error,
): Promise<Answer> {
  const deadline = performance.now() + RETRY_DEADLINE_MS;
  const uses = usesOf(client);
  for (;;) {
    const { count } = uses;
    try {
      return await work(doubt.again);
    } catch (error) {
      const fate = fateOf(error);
      if (fate === undefined) throw error;
      doubt.again ||= fate === 'unknown' || (uses.count > count && !isUnavailable(error));
      if (!doubt.again || performance.now() > deadline) throw failed(error);
      await setTimeout(50 + Math.random() * 200);
    }
  }
}

/**
 * The number of times that a connection of a client was used. The last error does not tell whether a write was sent:
 * the driver tries a write twice, and when it finds no server for the second, it hides the first. But nothing is sent
 * without a connection.
 */
const usesByClient = new WeakMap<MongoClient, { count: number }>();

function usesOf(client: MongoClient): { readonly count: number } {
  const known = usesByClient.get(client);
  if (known !== undefined) return known;
  const counted = { count: 0 };
  client.on('connectionCheckedOut', () => (counted.count += 1));
  usesByClient.set(client, counted);
  return counted;
}

function before<Answer>(milliseconds: number, work: Promise<Answer>, late: () => Error): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const timer = globalThis.setTimeout(() => reject(late()), milliseconds);
    void work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
