import {
  WriteConcern,
  type ClientSession,
  type MongoClient,
  type ServerSessionId,
  type TransactionOptions,
} from 'mongodb';
import { setTimeout } from 'node:timers/promises';
import { fateOf, outcomeUnknown, unavailable } from './failures.js';

/**
 * A write is repeated for this time before it fails; the last try may take some seconds more.
 */
const RETRY_DEADLINE_MS = 6_000;

/** For every command: after that the server gives it up. */
export const WITHIN = { maxTimeMS: 2_000 };

/** How often what was withdrawn meanwhile is read again. */
export const MOST_TRIES = 20;

/** For reads of many documents: in one answer, where the driver else has the first 101 sent and asks for the rest. */
export const AT_ONCE = { ...WITHIN, batchSize: 10_000 };

/** The time that a caller waits for a read. */
const READ_TIMEOUT_MS = 3_000;

/**
 * Has a caller wait no longer than that, whatever the read waits for: its turn behind others, or one command after
 * another.
 */
export function inTime<Answer>(work: Promise<Answer>): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const timer = globalThis.setTimeout(() => {
      reject(unavailable(new Error('a read has taken too long')));
    }, READ_TIMEOUT_MS);
    void work.then(resolve, reject).finally(() => {
      clearTimeout(timer);
    });
  });
}

/** Does a read, within the time that a caller waits; out of reach is `unavailable`. */
export async function reading<Answer>(work: (signal: AbortSignal) => Promise<Answer>): Promise<Answer> {
  try {
    return await work(AbortSignal.timeout(READ_TIMEOUT_MS));
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
 * Sessions whose transactions a server may keep open, and what they have touched locked, for a minute: nobody could
 * tell it to give them up. The driver uses none of them again after a failure of the network.
 */
const orphans = new WeakMap<MongoClient, Set<ServerSessionId>>();

function orphansOf(client: MongoClient): Set<ServerSessionId> {
  const own = orphans.get(client) ?? new Set();
  orphans.set(client, own);
  return own;
}

/**
 * Everybody may end sessions of their own, and a server that refuses ends them after a minute
 * (https://www.mongodb.com/docs/manual/reference/command/killSessions/).
 */
async function endOrphans(client: MongoClient): Promise<void> {
  const own = orphansOf(client);
  const ending = Array.from(own);
  if (ending.length === 0) return;
  try {
    await client.db('admin').command({ killSessions: ending, ...WITHIN });
  } catch (error) {
    if (fateOf(error) !== undefined) throw error;
  }
  for (const id of ending) own.delete(id);
}

/**
 * Whether a try may have been done. The last error does not tell: the driver, which tries a write twice, hides that it
 * sent the first when it finds no server for the second. But it counts the writes of a session, before it sends them.
 */
interface Doubt {
  again: boolean;
}

async function persisting<Answer>(attempt: (doubt: Doubt) => Promise<Answer>): Promise<Answer> {
  const deadline = performance.now() + RETRY_DEADLINE_MS;
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
