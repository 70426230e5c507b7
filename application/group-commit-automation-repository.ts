import type { DeveloperId } from '../domain/access.js';
import type { Automation, AutomationId } from '../domain/automation.js';
import { batchesOfLists, type Batches } from '../domain/batches.js';
import type { CategoryId } from '../domain/category.js';
import type {
  AddOutcome,
  AutomationPage,
  AutomationQuery,
  AutomationRepository,
  ForwardStretch,
  Offer,
  Stretch,
  Withdrawal,
} from '../domain/ports.js';
import { later } from './defaults.js';

/** Creates that go together at most, so that each write stays short. */
const MOST_TOGETHER = 500;

/**
 * A repository around a repository that stores together what arrives together: one write is under way, the rest queue
 * behind it and go as the next one. A store that flushes to disk on each write then flushes once for many.
 */
export class GroupCommitAutomationRepository implements AutomationRepository {
  readonly #adds: Batches<readonly Offer[], readonly AddOutcome[]>;

  /** Around the automations of one store; a process has one. */
  constructor(private readonly inner: AutomationRepository) {
    this.#adds = batchesOfLists((offers) => this.inner.add(offers), MOST_TOGETHER, { later });
  }

  add(offers: readonly Offer[]): Promise<readonly AddOutcome[]> {
    return this.#adds.ask(offers);
  }

  find(id: AutomationId): Promise<Automation | undefined> {
    return this.inner.find(id);
  }

  list(query: AutomationQuery): Promise<AutomationPage> {
    return this.inner.list(query);
  }

  listOf(developerId: DeveloperId, stretch: Stretch<AutomationId>): Promise<readonly Automation[]> {
    return this.inner.listOf(developerId, stretch);
  }

  listOldestFirst(stretch: ForwardStretch<AutomationId>): Promise<readonly Automation[]> {
    return this.inner.listOldestFirst(stretch);
  }

  countByCategory(): Promise<ReadonlyMap<CategoryId, number>> {
    return this.inner.countByCategory();
  }

  withdraw(id: AutomationId, withdrawal: Withdrawal): Promise<boolean> {
    return this.inner.withdraw(id, withdrawal);
  }

  withdrawalReasons(ids: readonly AutomationId[]): Promise<ReadonlyMap<AutomationId, string>> {
    return this.inner.withdrawalReasons(ids);
  }

  freeIdempotencyKeys(asOf: Date): Promise<number> {
    return this.inner.freeIdempotencyKeys(asOf);
  }
}
