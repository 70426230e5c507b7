import type { ClientSession, Db, TransactionOptions } from 'mongodb';
import { setTimeout } from 'node:timers/promises';
import { DomainError } from '../../domain/errors.js';
import { MAJORITY } from './collections.js';
import { checkPrepared, RETRY_DEADLINE_MS, within, WRITE, WRITE_TIMEOUT_MS } from './commands.js';
import { fateOf, hasLabel, isSnapshotGone, outcomeUnknown, unavailable } from './failures.js';
import { WritingSessions } from './writing-sessions.js';

const TRANSACTION: TransactionOptions = {
  readConcern: { level: 'snapshot' },
  writeConcern: MAJORITY,
  readPreference: 'primary',
  maxCommitTimeMS: WRITE.maxTimeMS,
};

/** A writer that meets the changes of another transaction for so long looks for lost transactions. */
const CONFLICT_MS = 1_000;
const MAX_PAUSE_MS = 100;

const sessionsByDb = new WeakMap<Db, WritingSessions>();

/** Returns the sessions in which this process writes to a database. */
export function writingSessionsOf(db: Db): WritingSessions {
  const known = sessionsByDb.get(db);
  if (known !== undefined) return known;
  const sessions = new WritingSessions(db);
  sessionsByDb.set(db, sessions);
  return sessions;
}

/** How far a transaction has come. */
interface Progress {
  readonly deadline: number;
  /** Its caller has got an error already. */
  isOver: boolean;
  /** The server may have committed it. */
  isSent: boolean;
}

/**
 * Does all that the work writes with the session, or nothing, and returns what the work returns. The work is done
 * again when another writer was in its way, and when it fails with an error that `again` accepts. Rejects
 * as `unavailable` when nothing was stored; as `outcome-unknown` when the commit was not answered; as `unavailable`,
 * code `not-prepared`, in a database that was not prepared.
 */
export async function transaction<Answer>(
  db: Db,
  work: (session: ClientSession) => Promise<Answer>,
  again: (error: unknown) => boolean = () => false,
): Promise<Answer> {
  await checkPrepared(db);
  const progress = { deadline: performance.now() + RETRY_DEADLINE_MS, isOver: false, isSent: false };
  const sessions = writingSessionsOf(db);
  const done = sessions.lend((session) => untilDone(sessions, session, { work, again, progress }));
  return within(WRITE_TIMEOUT_MS, done.catch(translated), () => {
    progress.isOver = true;
    return (progress.isSent ? outcomeUnknown : unavailable)(new Error('a write has taken too long'));
  });
}

interface Attempt<Answer> {
  readonly work: (session: ClientSession) => Promise<Answer>;
  readonly again: (error: unknown) => boolean;
  readonly progress: Progress;
}

/** The tries share a session, since the server ends the transaction of the last try when the next one begins. */
async function untilDone<Answer>(
  sessions: WritingSessions,
  session: ClientSession,
  { work, again, progress }: Attempt<Answer>,
): Promise<Answer> {
  let conflictsSince: number | undefined;
  for (let tries = 1; ; tries += 1) {
    try {
      return await once(session, work, progress);
    } catch (error) {
      if (!isPassing(error) && !again(error)) throw error;
      if (performance.now() > progress.deadline || progress.isOver) throw unavailable(error);
      conflictsSince ??= performance.now();
      if (hasLabel(error, TRANSIENT) && performance.now() > conflictsSince + CONFLICT_MS) {
        await sessions.endLost().catch(() => undefined);
        conflictsSince = performance.now();
      }
      await setTimeout(Math.random() * Math.min(2 ** tries, MAX_PAUSE_MS));
    }
  }
}

async function once<Answer>(
  session: ClientSession,
  work: (session: ClientSession) => Promise<Answer>,
  progress: Progress,
): Promise<Answer> {
  session.startTransaction(TRANSACTION);
  let answer: Answer;
  try {
    answer = await work(session);
    if (progress.isOver) throw unavailable(new Error('a write has taken too long'));
  } catch (error) {
    await session.abortTransaction();
    throw error;
  }
  await commit(session, progress);
  return answer;
}

/** Repeats a commit until it is answered: the server does it once. */
async function commit(session: ClientSession, progress: Progress): Promise<void> {
  progress.isSent = true;
  for (;;) {
    try {
      await session.commitTransaction();
      return;
    } catch (error) {
      if (hasLabel(error, TRANSIENT)) {
        progress.isSent = false;
        throw error;
      }
      if (performance.now() > progress.deadline) throw outcomeUnknown(error);
      await setTimeout(50 + Math.random() * 200);
    }
  }
}

/** The server says so of a transaction that was certainly not committed and may succeed when it is done again. */
const TRANSIENT = 'TransientTransactionError';

/** Returns whether the next try may succeed. No second try is made when no server was found. */
function isPassing(error: unknown): boolean {
  if (error instanceof DomainError) return false;
  if (isSnapshotGone(error)) return true;
  const fate = fateOf(error);
  return fate === 'unknown' || (fate === undefined && hasLabel(error, TRANSIENT));
}

function translated(error: unknown): never {
  throw error instanceof DomainError || fateOf(error) === undefined ? error : unavailable(error);
}
