import type { Collection, CountDocumentsOptions, Db, Document, Filter, FindOptions, WithId } from 'mongodb';
import { setTimeout } from 'node:timers/promises';
import { notPrepared } from '../../domain/errors.js';
import { isRefusedWrite } from '../storage/refused-write.js';
import { collectionsOf } from './collections.js';
import { fateOf, isWorthRepeating, outcomeUnknown, translated, unavailable } from './failures.js';

/** The limits of every command: after this time the server gives it up. */
export const READ = { maxTimeMS: 2_000 };
export const WRITE = { maxTimeMS: 5_000 };
/** The server builds an index on while no process waits for it, up to this time. */
export const BUILDING = { maxTimeMS: 30 * 60_000 };
/** For reads of many documents: all in one answer, where the driver has 101 sent first and asks for the rest. */
export const READ_ALL = { ...READ, batchSize: 10_000 };

/** The time that a caller waits for a read. */
const READ_TIMEOUT_MS = 3_000;
/** With the waits between them some 600 ms, in which an election usually ends. */
const MAX_READS = 6;
/** A write is repeated for this time before it fails. The last try may take some seconds more. */
export const RETRY_DEADLINE_MS = 6_000;
/** The time that a caller waits for a write, whatever its last try waits for. */
const WRITE_TIMEOUT_MS = 12_000;

/** Reads one document. */
export function findOne<Found extends Document>(
  collection: Collection<Found>,
  filter: Filter<Found>,
  options: FindOptions = {},
): Promise<WithId<Found> | null> {
  return reading((signal) => collection.findOne(filter, { ...READ, ...options, signal }));
}

/** Reads all documents that match. */
export function findAll<Found extends Document>(
  collection: Collection<Found>,
  filter: Filter<Found>,
  options: FindOptions = {},
): Promise<WithId<Found>[]> {
  return reading((signal) => collection.find(filter, { ...READ_ALL, ...options, signal }).toArray());
}

/** Counts the documents that match. */
export function count<Found extends Document>(
  collection: Collection<Found>,
  filter: Filter<Found>,
  options: CountDocumentsOptions = {},
): Promise<number> {
  return reading((signal) => collection.countDocuments(filter, { ...READ, ...options, signal }));
}

const tooLate = () => unavailable(new Error('a read has taken too long'));

/**
 * Does a read, again after a failure that may pass, within the time that a caller waits. Rejects as `unavailable` when
 * the store is out of reach, and with another error if told so when it takes too long.
 */
export function reading<Answer>(
  work: (signal: AbortSignal) => Promise<Answer>,
  late: () => Error = tooLate,
): Promise<Answer> {
  const caller = new AbortController();
  const reads = untilRead(() => work(caller.signal));
  return within(READ_TIMEOUT_MS, reads, () => {
    caller.abort();
    return late();
  });
}

/** Waits for a read that several callers share, as long as a caller waits. */
export function inTime<Answer>(shared: Promise<Answer>): Promise<Answer> {
  return within(READ_TIMEOUT_MS, shared, tooLate);
}

/** Does a read that may take longer, again after a failure that may pass, such as an election. */
export async function untilRead<Answer>(work: () => Promise<Answer>): Promise<Answer> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (tries === MAX_READS || !isWorthRepeating(error)) throw translated(error);
      await setTimeout(10 * 2 ** tries);
    }
  }
}

/**
 * Does a single write that may be done twice without harm, until it is answered or its time is over. Rejects as
 * `unavailable` when nothing was done, else as `outcome-unknown`; as `unavailable`, code `not-prepared`, in a database
 * that was not prepared.
 */
export function writing<Answer>(db: Db, work: () => Promise<Answer>): Promise<Answer> {
  return inPrepared(db, () => persistently(work));
}

/** Does the same in a database that need not be prepared. */
export function persistently<Answer>(work: () => Promise<Answer>): Promise<Answer> {
  return inTimeToWrite(untilAnswered(work), outcomeUnknown);
}

/** Rejects with this error when a write takes longer than a caller waits. */
export function inTimeToWrite<Answer>(work: Promise<Answer>, late: (cause: Error) => Error): Promise<Answer> {
  return within(WRITE_TIMEOUT_MS, work, () => late(new Error('a write has taken too long')));
}

async function untilAnswered<Answer>(work: () => Promise<Answer>): Promise<Answer> {
  const deadline = performance.now() + RETRY_DEADLINE_MS;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (fateOf(error) !== 'unknown') throw translated(error);
      if (performance.now() > deadline) throw outcomeUnknown(error);
      await setTimeout(50 + Math.random() * 200);
    }
  }
}

/** What this process knows of a database: that it is prepared, and whether the last write was refused. */
const prepared = new WeakMap<Db, Promise<void>>();
const refusing = new WeakSet<Db>();

/** Returns whether the last write to a database was refused, such as for lack of room. */
export function refusesWrites(db: Db): boolean {
  return refusing.has(db);
}

/** Does work that writes. Rejects while no process has prepared the database: unique indexes decide between writers. */
export async function inPrepared<Answer>(db: Db, work: () => Promise<Answer>): Promise<Answer> {
  await checkPrepared(db);
  try {
    const answer = await work();
    refusing.delete(db);
    return answer;
  } catch (error) {
    if (isRefusedWrite(error)) refusing.add(db);
    throw error;
  }
}

/** Once a database was prepared, it is not asked again. */
function checkPrepared(db: Db): Promise<void> {
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
  const recorded = await findOne(collectionsOf(db).settings, SCHEMA);
  return recorded === null ? 0 : Number(recorded.value);
}

/** The calls that a caller waits for at the moment. */
let underWay = 0;

/** The time that a check waits before each of its reads, while others never end. */
const MAX_YIELD_MS = 250;
const YIELD_MS = 10;

/** Waits until no call is under way, so that a check takes no connection for which a customer waits. */
export async function afterOthers(): Promise<void> {
  for (let waited = 0; underWay > 0 && waited < MAX_YIELD_MS; waited += YIELD_MS) await setTimeout(YIELD_MS);
}

function within<Answer>(milliseconds: number, work: Promise<Answer>, late: () => Error): Promise<Answer> {
  underWay += 1;
  return new Promise((resolve, reject) => {
    const timer = globalThis.setTimeout(() => reject(late()), milliseconds);
    void work.then(resolve, reject).finally(() => {
      underWay -= 1;
      clearTimeout(timer);
    });
  });
}
