import type { ClientSession, Db, TransactionOptions } from 'mongodb';
import { setTimeout } from 'node:timers/promises';
import { DomainError } from '../../domain/errors.js';
import { MAJORITY } from './collections.js';
import { inPrepared, inTimeToWrite, RETRY_DEADLINE_MS, WRITE } from './commands.js';
import { fateOf, hasLabel, isWorthRepeating, outcomeUnknown, translated, unavailable } from './failures.js';
import { writingSessionsOf } from './writing-sessions.js';

const TRANSACTION: TransactionOptions = {
  readConcern: { level: 'snapshot' },
  writeConcern: MAJORITY,
  readPreference: 'primary',
  maxCommitTimeMS: WRITE.maxTimeMS,
};

/** A writer that meets the changes of another transaction for so long looks for lost transactions. */
const CONFLICT_MS = 1_000;
const MAX_PAUSE_MS = 100;

/** The server says so of a transaction that was certainly not committed and may succeed when it is done again. */
const TRANSIENT = 'TransientTransactionError';

/** Works with a session, in whose transaction it reads and writes. */
type Work<Answer> = (session: ClientSession) => Promise<Answer>;

/**
 * Does all that the work writes with the session, or nothing, and returns what the work returns. The work is done
 * again when another writer was in its way, and when it fails with an error that `again` accepts. Rejects
 * as `unavailable` when nothing was stored; as `outcome-unknown` when the commit was not answered; as `unavailable`,
 * code `not-prepared`, in a database that was not prepared.
 */
export function transaction<Answer>(
  db: Db,
  work: Work<Answer>,
  again: (error: unknown) => boolean = () => false,
): Promise<Answer> {
  return inPrepared(db, () => {
    const running = new RunningTransaction(db, work, again);
    return inTimeToWrite(running.run(), (cause) => running.giveUp(cause));
  });
}

/** A transaction with its tries. They share a session: the server ends the last try when the next one begins. */
class RunningTransaction<Answer> {
  readonly #deadline = performance.now() + RETRY_DEADLINE_MS;
  /** The caller has got an error already. */
  #isGivenUp = false;
  /** The server may have committed it. */
  #isSent = false;

  constructor(
    private readonly db: Db,
    private readonly work: Work<Answer>,
    private readonly again: (error: unknown) => boolean,
  ) {}

  async run(): Promise<Answer> {
    try {
      return await writingSessionsOf(this.db).lend((session) => this.#untilDone(session));
    } catch (error) {
      throw translated(error);
    }
  }

  /** Has no write committed any more, and returns the error for the caller. */
  giveUp(cause: Error): DomainError {
    this.#isGivenUp = true;
    return this.#isSent ? outcomeUnknown(cause) : unavailable(cause);
  }

  async #untilDone(session: ClientSession): Promise<Answer> {
    let conflictsSince: number | undefined;
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.#once(session);
      } catch (error) {
        if (!isPassing(error) && !this.again(error)) throw error;
        if (performance.now() > this.#deadline) throw unavailable(error);
        conflictsSince ??= performance.now();
        if (hasLabel(error, TRANSIENT) && performance.now() > conflictsSince + CONFLICT_MS) {
          await writingSessionsOf(this.db)
            .endLost()
            .catch(() => undefined);
          conflictsSince = performance.now();
        }
        await setTimeout(Math.random() * Math.min(2 ** tries, MAX_PAUSE_MS));
      }
    }
  }

  async #once(session: ClientSession): Promise<Answer> {
    session.startTransaction(TRANSACTION);
    let answer: Answer;
    try {
      answer = await this.work(session);
      if (this.#isGivenUp) throw new Error('a write has taken too long');
    } catch (error) {
      await session.abortTransaction();
      throw error;
    }
    await this.#commit(session);
    return answer;
  }

  /** Repeats a commit until it is answered: the server does it once. */
  async #commit(session: ClientSession): Promise<void> {
    this.#isSent = true;
    for (;;) {
      try {
        await session.commitTransaction();
        return;
      } catch (error) {
        if (hasLabel(error, TRANSIENT)) {
          this.#isSent = false;
          throw error;
        }
        if (performance.now() > this.#deadline) throw outcomeUnknown(error);
        await setTimeout(50 + Math.random() * 200);
      }
    }
  }
}

/** Returns whether the next try may succeed. No second try is made when no server was found. */
function isPassing(error: unknown): boolean {
  if (error instanceof DomainError) return false;
  return isWorthRepeating(error) || (fateOf(error) === undefined && hasLabel(error, TRANSIENT));
}
