import type { ClientSession } from 'mongodb';
import type { DeveloperId } from '../../domain/access.js';
import type { AutomationId } from '../../domain/automation.js';
import type { Collections } from './collections.js';
import { WRITE } from './commands.js';

type LockedId = DeveloperId | AutomationId;

/**
 * Locks a developer or an automation until the transaction ends: what counts before it inserts has no other between.
 * Another transaction that does the same meets a conflict, and is done again.
 */
export async function lockById({ locks }: Collections, id: LockedId, session: ClientSession): Promise<void> {
  await locks.updateOne({ _id: id }, { $inc: { uses: 1 } }, { ...WRITE, upsert: true, session });
}

/**
 * Work that locks by an id, one after the other in this process: at once, its transactions would only meet the
 * conflicts of each other (of 40 at once on a busy machine, some met them for six seconds, and failed).
 */
export class QueueById {
  readonly #last = new Map<LockedId, Promise<unknown>>();

  /** Runs the work when all work for this id that came before has ended. */
  async run<Answer>(id: LockedId, work: () => Promise<Answer>): Promise<Answer> {
    const before = this.#last.get(id) ?? Promise.resolve();
    const running = before.then(work, work);
    this.#last.set(id, running);
    try {
      return await running;
    } finally {
      if (this.#last.get(id) === running) this.#last.delete(id);
    }
  }
}
