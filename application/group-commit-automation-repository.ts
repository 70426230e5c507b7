import type { Automation, AutomationId } from '../domain/automation.js';
import type { CategoryId } from '../domain/category.js';
import type {
  AddOutcome,
  AutomationPage,
  AutomationQuery,
  AutomationRepository,
  Offer,
  Withdrawal,
} from '../domain/ports.js';

interface Waiting {
  readonly offers: readonly Offer[];
  readonly resolve: (outcomes: readonly AddOutcome[]) => void;
  readonly reject: (error: unknown) => void;
}

const MOST_OFFERS = 250;

/**
 * A repository around a repository that stores together what arrives together: one write is under way, the rest queue
 * behind it and go as the next one. A store that flushes to disk on each write then flushes once for many.
 */
export class GroupCommitAutomationRepository implements AutomationRepository {
  #queue: Waiting[] = [];
  #writing = false;

  constructor(private readonly inner: AutomationRepository) {}

  add(offers: readonly Offer[]): Promise<readonly AddOutcome[]> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ offers, resolve, reject });
      if (!this.#writing) void this.#write();
    });
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

  withdraw(id: AutomationId, withdrawal: Withdrawal): Promise<boolean> {
    return this.inner.withdraw(id, withdrawal);
  }

  freeIdempotencyKeys(asOf: Date): Promise<number> {
    return this.inner.freeIdempotencyKeys(asOf);
  }

  async #write(): Promise<void> {
    this.#writing = true;
    while (this.#queue.length > 0) await this.#store(this.#nextGroup());
    this.#writing = false;
  }

  #nextGroup(): readonly Waiting[] {
    let offers = 0;
    let size = 0;
    for (const waiting of this.#queue) {
      offers += waiting.offers.length;
      if (size > 0 && offers > MOST_OFFERS) break;
      size += 1;
    }
    return this.#queue.splice(0, size);
  }

  async #store(group: readonly Waiting[]): Promise<void> {
    try {
      const outcomes = await this.inner.add(group.flatMap(({ offers }) => offers));
      let start = 0;
      for (const { offers, resolve } of group) resolve(outcomes.slice(start, (start += offers.length)));
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  }
}
