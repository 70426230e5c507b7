import type { Db } from 'mongodb';
import { setTimeout } from 'node:timers/promises';
import { DomainError, notPrepared } from '../../domain/errors.js';
import { collectionsOf } from './collections.js';
import { fateOf, outcomeUnknown, unavailable } from './failures.js';

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
export const RETRY_DEADLINE_MS = 6_000;

/** The time that a caller waits for a write, whatever its last try waits for. */
export const WRITE_TIMEOUT_MS = 12_000;

const tooLate = () => unavailable(new Error('a read has taken too long'));

/** Rejects, as `unavailable` if not told otherwise, when a read takes longer than a caller waits. */
export function inTime<Answer>(work: Promise<Answer>, late = tooLate): Promise<Answer> {
  return within(READ_TIMEOUT_MS, work, late);
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
 * Does a single write that may be done twice without harm, until it is answered or its time is over. Rejects as
 * `unavailable` when no server was found, else as `outcome-unknown`; as `unavailable`, code `not-prepared`, in a
 * database that was not prepared.
 */
export async function writing<Answer>(db: Db, work: () => Promise<Answer>): Promise<Answer> {
  await checkPrepared(db);
  return persistently(work);
}

/** Does the same in a database that need not be prepared. */
export function persistently<Answer>(work: () => Promise<Answer>): Promise<Answer> {
  const late = () => outcomeUnknown(new Error('a write has taken too long'));
  return within(WRITE_TIMEOUT_MS, untilAnswered(work), late);
}

async function untilAnswered<Answer>(work: () => Promise<Answer>): Promise<Answer> {
  const deadline = performance.now() + RETRY_DEADLINE_MS;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      const fate = fateOf(error);
      if (fate === undefined) throw error;
      if (fate === 'never-sent') throw unavailable(error);
      if (performance.now() > deadline) throw outcomeUnknown(error);
      await setTimeout(50 + Math.random() * 200);
    }
  }
}

/** Once a database was prepared, it is not asked again. */
const prepared = new WeakMap<Db, Promise<void>>();

/** Rejects while a database has not been prepared, by any process: unique indexes decide between writers. */
export function checkPrepared(db: Db): Promise<void> {
  const known = prepared.get(db);
  if (known !== undefined) return known;
  const asked = refuseUnprepared(db);
  prepared.set(db, asked);
  asked.catch(() => prepared.delete(db));
  return asked;
}

async function refuseUnprepared(db: Db): Promise<void> {
  const version = await readSchemaVersion(db);
  if (version === 0) throw notPrepared('prepare({ currency }) of the storage, or prepareMongo(db)');
}

/** The setting that records the version of the schema. It is written when everything else is prepared. */
export const SCHEMA = { _id: 'schema' };

/** Returns the version of the schema; 0 in a database that was not prepared. */
export async function readSchemaVersion(db: Db): Promise<number> {
  const recorded = await reading((signal) => collectionsOf(db).settings.findOne(SCHEMA, { ...READ, signal }));
  return recorded === null ? 0 : Number(recorded.value);
}

/** Rejects with the error when the work takes longer. */
export function within<Answer>(milliseconds: number, work: Promise<Answer>, late: () => Error): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const timer = globalThis.setTimeout(() => reject(late()), milliseconds);
    void work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
