import type { ClientSession, Db } from 'mongodb';
import { setTimeout } from 'node:timers/promises';
import type { DeveloperId } from '../../domain/access.js';
import type { Automation, AutomationId } from '../../domain/automation.js';
import { BatchQueue, listBatchQueue } from '../../domain/batch-queue.js';
import type { CategoryId } from '../../domain/category.js';
import { DomainError } from '../../domain/errors.js';
import { rangeAfter, rangeOf, sizeOf, totalOf } from '../../domain/numbering.js';
import type {
  AddOutcome,
  AutomationPage,
  AutomationQuery,
  AutomationRepository,
  ForwardCursorQuery,
  NewAutomation,
  CursorQuery,
  Withdrawal,
  WithdrawOutcome,
} from '../../domain/ports.js';
import { automationOf, collectionsOf, idOf, uuid, type Collections } from './documents.js';
import { unavailable, unsettled } from './failures.js';
import { Insertion, OVERTAKEN, type Base } from './insertion.js';
import { Numberings } from './numberings.js';
import { AT_ONCE, inTime, MOST_TRIES, reading, transacting, WITHIN, writing } from './operations.js';
import { Pages, pagesFilter, withoutGaps } from './pages.js';
import type { Scope } from './scope.js';
import { TurnNotes } from './turn-notes.js';
import { Turns } from './turns.js';

/** Reads by id in one command at most; offers stored in one; keys freed in one. */
const MOST_TOGETHER = 64;
const MOST_ADDED = 500;
const SWEEP = 500;
/** How many of the numbers that were withdrawn last stand beside their count. */
const LATEST = 100;

/**
 * In milliseconds: who has waited behind a write that found no store is told so at once, and does not wait as long
 * again.
 */
const HOPELESS = 250;

const ON_SALE = { withdrawn_at: { $exists: false } } as const;

/**
 * Automations in MongoDB, numbered as `domain/numbering.ts` says. Reads that come together go together, and so do
 * offers.
 */
export class MongoAutomationRepository implements AutomationRepository {
  readonly #collections: Collections;
  readonly #numberings: Numberings;
  readonly #pages: Pages;
  readonly #turns: Turns;
  readonly #finds = new BatchQueue<AutomationId, Automation | undefined>((ids) => this.#findAll(ids), MOST_TOGETHER);
  /**
   * One after the other: a process that overtakes itself gains nothing. What comes while others have their turn goes
   * along.
   */
  readonly #adds = listBatchQueue<NewAutomation, AddOutcome>((offers) => this.#add(offers), MOST_ADDED, {
    ready: () => this.#takeTurn(),
    later: setTimeout,
  });
  #base: Base | undefined;
  #hopelessUntil = -Infinity;

  /** Over a database that `prepareMongo` has prepared; its client stays its maker's to close. */
  constructor(private readonly db: Db) {
    this.#collections = collectionsOf(db);
    this.#numberings = new Numberings(db);
    this.#pages = new Pages(db);
    this.#turns = new Turns(new TurnNotes(db));
  }

  add(offers: readonly NewAutomation[]): Promise<readonly AddOutcome[]> {
    return this.#adds.ask(offers);
  }

  find(id: AutomationId): Promise<Automation | undefined> {
    return inTime(this.#finds.ask(id));
  }

  list(query: AutomationQuery): Promise<AutomationPage> {
    return inTime(this.#list(query));
  }

  async #list({ page, category }: AutomationQuery): Promise<AutomationPage> {
    const scope: Scope = category ?? '';
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      const numbering = await this.#numberings.of(scope);
      const total = totalOf(numbering);
      const range = rangeOf(page, numbering);
      const revision = `${numbering.highest} ${numbering.withdrawn.length}`;
      if (range === undefined) return { items: [], total, revision };
      const items = await this.#pages.page(scope, range, numbering);
      if (items !== undefined) return { items, total, revision };
    }
    throw unsettled();
  }

  async listOf(developerId: DeveloperId, { limit, before }: CursorQuery<AutomationId>): Promise<readonly Automation[]> {
    const { automations } = this.#collections;
    return reading(async (signal) => {
      const own = { developer_id: developerId };
      const known = before && (await automations.findOne({ _id: uuid(before), ...own }, { ...WITHIN, signal }));
      if (known === null) return [];
      const filter = { ...own, ...ON_SALE, ...(known && { number: { $lt: known.number } }) };
      const documents = await automations
        .find(filter, { ...AT_ONCE, signal })
        .sort({ number: -1 })
        .limit(limit)
        .toArray();
      return documents.map(automationOf);
    });
  }

  async listOldestFirst({ limit, after }: ForwardCursorQuery<AutomationId>): Promise<readonly Automation[]> {
    const known = after === undefined ? 0 : await this.#numberOf(after);
    if (known === undefined) return [];
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      const numbering = await this.#numberings.of('');
      const range = rangeAfter(known, limit, numbering);
      if (range === undefined) return [];
      const filter = { ...pagesFilter([{ scope: '', ranges: withoutGaps(range, numbering) }]), ...ON_SALE };
      const documents = await reading((signal) =>
        this.#collections.automations
          .find(filter, { ...AT_ONCE, signal })
          .sort({ number: 1 })
          .toArray(),
      );
      if (documents.length === sizeOf(range, numbering)) return documents.map(automationOf);
    }
    throw unsettled();
  }

  async countByCategory(): Promise<ReadonlyMap<CategoryId, number>> {
    return this.#numberings.onSaleByCategory();
  }

  withdraw(id: AutomationId, withdrawal: Withdrawal): Promise<WithdrawOutcome> {
    const { automations, tallies } = this.#collections;
    const { at, developerId, reason } = withdrawal;
    const filter = { _id: uuid(id), ...(developerId !== undefined && { developer_id: developerId }) };
    const change = { $set: { withdrawn_at: at, ...(reason !== undefined && { withdrawn_reason: reason }) } };
    return transacting(this.db.client, async (session, again) => {
      const before = await automations.findOneAndUpdate({ ...filter, ...ON_SALE }, change, { ...WITHIN, session });
      if (before === null) {
        const document = await automations.findOne(filter, { ...WITHIN, session, projection: { withdrawn_at: 1 } });
        if (document === null) return 'unknown';
        return again && document.withdrawn_at?.getTime() === at.getTime() ? 'withdrawn' : 'already-withdrawn';
      }
      const counted = [
        { _id: '', highest: before.number },
        { _id: before.category_id, highest: before.category_number },
      ].map(({ _id, highest }) => ({
        updateOne: {
          filter: { _id },
          update: {
            $inc: { withdrawn: 1 },
            $max: { highest_withdrawn: highest },
            $push: { latest: { $each: [highest], $slice: -LATEST } },
          },
          upsert: true,
        },
      }));
      await tallies.bulkWrite(counted, { ...WITHIN, session });
      return 'withdrawn';
    });
  }

  async withdrawalReasons(ids: readonly AutomationId[]): Promise<ReadonlyMap<AutomationId, string>> {
    const filter = { _id: { $in: ids.map(uuid) } };
    const options = { ...AT_ONCE, projection: { withdrawn_reason: 1 } } as const;
    const documents = await reading((signal) =>
      this.#collections.automations.find(filter, { ...options, signal }).toArray(),
    );
    return new Map(
      documents.flatMap(({ _id, withdrawn_reason: reason }) =>
        reason === undefined ? [] : [[idOf(_id), reason] as const],
      ),
    );
  }

  async freeIdempotencyKeys(asOf: Date): Promise<number> {
    const { automations } = this.#collections;
    const expired = { idempotency_key_until: { $lte: asOf } };
    const freed = { $unset: { idempotency_key: '', idempotency_key_until: '' } } as const;
    for (let total = 0; ;) {
      const some = await reading((signal) =>
        automations.find(expired, { projection: { _id: 1 }, limit: SWEEP, ...AT_ONCE, signal }).toArray(),
      );
      if (some.length === 0) return total;
      const filter = { _id: { $in: some.map(({ _id }) => _id) }, ...expired };
      total += (await writing(this.db.client, () => automations.updateMany(filter, freed, WITHIN))).modifiedCount;
    }
  }

  /** A withdrawn one has its number still. */
  async #numberOf(id: AutomationId): Promise<number | undefined> {
    const options = { ...WITHIN, projection: { number: 1 } };
    const document = await reading((signal) =>
      this.#collections.automations.findOne({ _id: uuid(id) }, { ...options, signal }),
    );
    return document?.number;
  }

  async #add(offers: readonly NewAutomation[]): Promise<readonly AddOutcome[]> {
    if (this.#isHopeless) throw unavailable(new Error('the write before this one found no store'));
    const insertion = new Insertion(this.#collections.automations, offers);
    try {
      await writing(this.db.client, (session, again) => this.#insert(insertion, session, again));
    } catch (error) {
      if (error instanceof DomainError) this.#hopelessUntil = performance.now() + HOPELESS;
      throw error;
    }
    return insertion.outcomes;
  }

  get #isHopeless(): boolean {
    return performance.now() < this.#hopelessUntil;
  }

  /** Does nothing while it is ours still. */
  async #takeTurn(): Promise<void> {
    if (this.#isHopeless) return;
    const turn = await this.#turns.take();
    if (turn !== undefined) this.#base = turn.base;
  }

  async #findAll(ids: readonly AutomationId[]): Promise<readonly (Automation | undefined)[]> {
    const filter = { _id: { $in: ids.map(uuid) }, ...ON_SALE };
    const documents = await reading((signal) =>
      this.#collections.automations.find(filter, { ...WITHIN, signal }).toArray(),
    );
    const found = new Map(documents.map((document) => [idOf(document._id), document]));
    return ids.map((id) => {
      const document = found.get(id);
      return document && automationOf(document);
    });
  }

  /**
   * Numbers are taken from what a majority has, or from what was acknowledged after that, and forgotten at the first
   * doubt.
   */
  async #insert(insertion: Insertion, session: ClientSession, again: boolean): Promise<void> {
    if (again) {
      this.#base = undefined;
      await this.#takeTurn();
    }
    for (;;) {
      const base = await this.#baseFor(insertion.categories);
      this.#base = undefined;
      const stopped = await insertion.proceed(base, session, again);
      if (stopped !== OVERTAKEN) {
        this.#base = base;
        this.#turns.done(base);
        return;
      }
      this.#turns.noteOther();
      await setTimeout(Math.random() * 3);
      await this.#takeTurn();
    }
  }

  async #baseFor(categories: readonly string[]): Promise<Base> {
    const known = this.#base?.within ?? new Map<string, number>();
    const missing = categories.filter((category) => !known.has(category)) as CategoryId[];
    if (this.#base !== undefined && missing.length === 0) return this.#base;
    const [overall = 0, ...highest] = await this.#numberings.highest(['', ...missing]);
    missing.forEach((category, index) => known.set(category, highest[index] ?? 0));
    return { overall: this.#base?.overall ?? overall, within: known };
  }
}
