import type { Binary, ClientSession, Db } from 'mongodb';
import { BSON_OPTIONS, collectionsOf, type Collections } from './collections.js';
import { WRITE } from './commands.js';

/** A session is not used for longer. */
const MAX_AGE_MS = 10 * 60_000;
/** Its record is removed by an index some time after that. */
export const RECORD_LIFETIME_S = 30 * 60;
/** A transaction that its process has left alone for so long is taken for lost. To be wrong costs a retry. */
const LOST_AFTER_MS = 1_000;

interface WritingSession {
  readonly session: ClientSession;
  readonly since: number;
}

/** An open transaction, as the server tells of it. */
interface OpenTransaction {
  readonly lsid: { readonly id: Binary };
}

const sessionsByDb = new WeakMap<Db, WritingSessions>();

/** Returns the sessions in which this process writes to a database. */
export function writingSessionsOf(db: Db): WritingSessions {
  const known = sessionsByDb.get(db) ?? new WritingSessions(db);
  sessionsByDb.set(db, known);
  return known;
}

/**
 * The sessions of the driver in which this process writes. Each is recorded in the store before its first transaction,
 * so that another process can end it when this one was killed: the server itself waits for a minute, and until then no
 * other process can write what the transaction has changed.
 */
class WritingSessions {
  readonly #collections: Collections;
  readonly #idle: WritingSession[] = [];

  constructor(private readonly db: Db) {
    this.#collections = collectionsOf(db);
  }

  /** Lends a session to the work. It is used again also after a failure: a new transaction ends the last one. */
  async lend<Answer>(work: (session: ClientSession) => Promise<Answer>): Promise<Answer> {
    const lent = (await this.#takeIdle()) ?? (await this.#open());
    try {
      return await work(lent.session);
    } finally {
      this.#idle.push(lent);
    }
  }

  /** Ends the sessions that are not in use. */
  async close(): Promise<void> {
    await Promise.all(this.#idle.splice(0).map((idle) => this.#end(idle)));
  }

  /**
   * Ends the recorded sessions whose transactions were left open. A user who may not see or end them gets an error from
   * the server; then the transactions end after a minute.
   */
  async endLost(): Promise<void> {
    const admin = this.db.client.db('admin');
    const recorded = await this.#collections.writingSessions.find({}, WRITE).toArray();
    const ours = new Set(recorded.map(({ _id }) => _id.toString('hex')));
    const left = { type: 'idleSession', 'transaction.timeInactiveMicros': { $gt: LOST_AFTER_MS * 1_000 } };
    const pipeline = [{ $currentOp: { allUsers: false, idleSessions: true } }, { $match: left }];
    const options = { ...WRITE, ...BSON_OPTIONS, readConcern: { level: 'local' } } as const;
    const open = await admin.aggregate<OpenTransaction>(pipeline, options).toArray();
    const lost = open.map(({ lsid: { id } }) => ({ id })).filter(({ id }) => ours.has(id.toString('hex')));
    if (lost.length > 0) await admin.command({ killSessions: lost, ...WRITE });
  }

  /** Ends those that are too old, however long they were idle: their records may be gone. */
  async #takeIdle(): Promise<WritingSession | undefined> {
    for (let one = this.#idle.pop(); one !== undefined; one = this.#idle.pop()) {
      if (performance.now() < one.since + MAX_AGE_MS) return one;
      await this.#end(one);
    }
    return undefined;
  }

  async #open(): Promise<WritingSession> {
    const session = this.db.client.startSession({ causalConsistency: false });
    const opened = { session, since: performance.now() };
    const change = { $currentDate: { at: true } } as const;
    const options = { ...WRITE, upsert: true };
    await this.#collections.writingSessions.updateOne({ _id: idOf(session) }, change, options);
    return opened;
  }

  async #end({ session }: WritingSession): Promise<void> {
    const _id = idOf(session);
    await session.endSession();
    await this.#collections.writingSessions.deleteOne({ _id }, WRITE).catch(() => undefined);
  }
}

function idOf({ id }: ClientSession): Binary {
  return (id as { readonly id: Binary }).id;
}
