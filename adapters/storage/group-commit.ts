import { setTimeout } from 'node:timers/promises';
import { addSizeOf, MAX_ADD_SIZE } from '../../domain/add-size.js';
import type { Automation, AutomationId } from '../../domain/automation.js';
import { listBatchQueue, type BatchQueue } from './batch-queue.js';
import type { CategoryId } from '../../domain/category.js';
import { DomainError } from '../../domain/errors.js';
import type {
  AddOutcome,
  AutomationPage,
  AutomationQuery,
  AutomationRepository,
  BulkWithdrawal,
  NewAutomation,
  Revision,
  ReviseOutcome,
  Withdrawal,
  WithdrawOutcome,
} from '../../domain/ports.js';

/** An offer that has waited so long for other writes is not begun. */
const MAX_WAIT_MS = 5_000;

type AddQueue = BatchQueue<readonly NewAutomation[], readonly AddOutcome[]>;

/** Returns the queue in front of what stores offers. It keeps each write short, also of the longest texts. */
export function addQueue(add: AutomationRepository['add']): AddQueue {
  return listBatchQueue(add, MAX_ADD_SIZE, {
    sizeOfPart: ({ automation }) => addSizeOf(automation),
    later: setTimeout,
    patience: { maxMs: MAX_WAIT_MS, now: () => performance.now(), tooLate },
  });
}

function tooLate(): DomainError {
  return new DomainError('unavailable', 'store-unavailable', 'too many writes wait for the store');
}

/**
 * A repository around a repository that stores offers that arrive at the same time in one write: one write runs, the
 * others wait and form the next one. A store that flushes to disk at each write then flushes once for many offers.
 */
export class GroupCommitAutomationRepository implements AutomationRepository {
  readonly #adds: AddQueue;

  /** Wraps the automations of one store. A process has one. */
  constructor(private readonly inner: AutomationRepository) {
    this.#adds = addQueue((offers) => this.inner.add(offers));
  }

  add(offers: readonly NewAutomation[]): Promise<readonly AddOutcome[]> {
    return this.#adds.ask(offers);
  }

  find(id: AutomationId): Promise<Automation | undefined> {
    return this.inner.find(id);
  }

  list(query: AutomationQuery): Promise<AutomationPage> {
    return this.inner.list(query);
  }

  countByCategory(): Promise<ReadonlyMap<CategoryId, number>> {
    return this.inner.countByCategory();
  }

  revise(revision: Revision): Promise<ReviseOutcome> {
    return this.inner.revise(revision);
  }

  withdraw(id: AutomationId, withdrawal: Withdrawal): Promise<WithdrawOutcome> {
    return this.inner.withdraw(id, withdrawal);
  }

  withdrawAll(withdrawal: BulkWithdrawal): Promise<readonly AutomationId[]> {
    return this.inner.withdrawAll(withdrawal);
  }

  freeIdempotencyKeys(asOf: Date): Promise<number> {
    return this.inner.freeIdempotencyKeys(asOf);
  }
}
