import type { ClientSession, Db } from 'mongodb';
import { setTimeout } from 'node:timers/promises';
import type { Automation, AutomationId } from '../../domain/automation.js';
import { Batches } from '../../domain/batches.js';
import type { CategoryId } from '../../domain/category.js';
import { rangeOf, totalOf } from '../../domain/numbering.js';
import type {
  AddOutcome,
  AutomationPage,
  AutomationQuery,
  AutomationRepository,
  Offer,
  Withdrawal,
} from '../../domain/ports.js';
import { automationOf, collectionsOf, idOf, uuid, type Collections } from './documents.js';
import { reading, transacting, writing } from './failures.js';
import { Insertion, OVERTAKEN, type Base } from './insertion.js';
import { Numberings, type Scope } from './numberings.js';
import { Pages } from './pages.js';

/** Reads by id in one command at most; keys freed in one command. */
const MOST_TOGETHER = 64;
const SWEEP = 500;

/** In milliseconds: how long processes that write at the same time let each other go first. */
const COURTESY = 1_000;

const ON_SALE = { withdrawn_at: { $exists: false } } as const;

/** Automations in MongoDB, numbered as `domain/numbering.ts` says. Reads that come together go together. */
export class MongoAutomationRepository implements AutomationRepository {
  readonly #collections: Collections;
  readonly #numberings: Numberings;
  readonly #pages: Pages;
  readonly #finds = new Batches<AutomationId, Automation | undefined>((ids) => this.#findAll(ids), MOST_TOGETHER);
  /** One after the other: a process that overtakes itself gains nothing. */
  readonly #adds = new Batches<readonly Offer[], readonly AddOutcome[]>(
    (adds) => Promise.all(adds.map((offers) => this.#add(offers))),
    1,
  );
  #base: Base | undefined;
  #overtakenAt = -Infinity;
  #lastWrite = 0;

  constructor(private readonly db: Db) {
    this.#collections = collectionsOf(db);
    this.#numberings = new Numberings(db);
    this.#pages = new Pages(db);
  }

  add(offers: readonly Offer[]): Promise<readonly AddOutcome[]> {
    return this.#adds.ask(offers);
  }

  find(id: AutomationId): Promise<Automation | undefined> {
    return this.#finds.ask(id);
  }

  async list({ page, category }: AutomationQuery): Promise<AutomationPage> {
    const scope: Scope = category ?? '';
    for (;;) {
      const numbering = await this.#numberings.of(scope);
      const total = totalOf(numbering);
      const range = rangeOf(page, numbering);
      if (range === undefined) return { items: [], total };
      const items = await this.#pages.page(scope, range, numbering);
      if (items !== undefined) return { items, total };
    }
  }

  async countByCategory(): Promise<ReadonlyMap<CategoryId, number>> {
    return this.#numberings.onSaleByCategory();
  }

  withdraw(id: AutomationId, withdrawal: Withdrawal): Promise<boolean> {
    const { automations, tallies } = this.#collections;
    const { at, developerId, reason } = withdrawal;
    const filter = { _id: uuid(id), ...(developerId !== undefined && { developer_id: developerId }) };
    const change = { $set: { withdrawn_at: at, ...(reason !== undefined && { withdrawn_reason: reason }) } };
    return transacting(this.db.client, async (session, again) => {
      const before = await automations.findOneAndUpdate({ ...filter, ...ON_SALE }, change, { session });
      if (before === null) return again && (await automations.findOne({ ...filter, withdrawn_at: at }, { session })) !== null;
      const counted = [
        { _id: '', highest: before.number },
        { _id: before.category_id, highest: before.category_number },
      ].map(({ _id, highest }) => ({
        updateOne: {
          filter: { _id },
          update: { $inc: { withdrawn: 1 }, $max: { highest_withdrawn: highest } },
          upsert: true,
        },
      }));
      await tallies.bulkWrite(counted, { session });
      return true;
    });
  }

  async freeIdempotencyKeys(asOf: Date): Promise<number> {
    const { automations } = this.#collections;
    const lapsed = { idempotency_key_until: { $lte: asOf } };
    const freed = { $unset: { idempotency_key: '', idempotency_key_until: '' } } as const;
    for (let total = 0; ; ) {
      const some = await reading((signal) =>
        automations.find(lapsed, { projection: { _id: 1 }, limit: SWEEP, maxTimeMS: 2_000, signal }).toArray(),
      );
      if (some.length === 0) return total;
      const filter = { _id: { $in: some.map(({ _id }) => _id) }, ...lapsed };
      total += (await writing(this.db.client, () => automations.updateMany(filter, freed, { maxTimeMS: 2_000 }))).modifiedCount;
    }
  }

  async #add(offers: readonly Offer[]): Promise<readonly AddOutcome[]> {
    const insertion = new Insertion(this.#collections.automations, offers);
    await this.#letOthersGo();
    const start = performance.now();
    await writing(this.db.client, (session, again) => this.#insert(insertion, session, again));
    this.#lastWrite = performance.now() - start;
    return insertion.outcomes;
  }

  async #findAll(ids: readonly AutomationId[]): Promise<readonly (Automation | undefined)[]> {
    const filter = { _id: { $in: ids.map(uuid) }, ...ON_SALE };
    const documents = await reading((signal) =>
      this.#collections.automations.find(filter, { maxTimeMS: 2_000, signal }).toArray(),
    );
    const found = new Map(documents.map((document) => [idOf(document._id), document]));
    return ids.map((id) => {
      const document = found.get(id);
      return document && automationOf(document);
    });
  }

  /** Numbers are taken from a read of what a majority has, or from what was acknowledged after that, and forgotten at the first doubt. */
  async #insert(insertion: Insertion, session: ClientSession, again: boolean): Promise<void> {
    if (again) this.#base = undefined;
    for (;;) {
      const base = await this.#baseFor(insertion.categories);
      this.#base = undefined;
      const stopped = await insertion.proceed(base, session, again);
      if (stopped !== OVERTAKEN) return void (this.#base = base);
      this.#overtakenAt = performance.now();
      await setTimeout(Math.random() * 3);
    }
  }

  async #baseFor(categories: readonly string[]): Promise<Base> {
    const base = this.#base ?? { overall: (await this.#numberings.of('')).highest, within: new Map<string, number>() };
    const missing = categories.filter((category) => !base.within.has(category)) as CategoryId[];
    const numberings = await Promise.all(missing.map((category) => this.#numberings.of(category)));
    missing.forEach((category, index) => base.within.set(category, numberings[index]?.highest ?? 0));
    return base;
  }

  /** Who was overtaken a moment ago is not alone: it waits about as long as a write takes, and does not trust its own numbers after that. */
  async #letOthersGo(): Promise<void> {
    if (performance.now() - this.#overtakenAt > COURTESY) return;
    await setTimeout(this.#lastWrite * (0.5 + Math.random()));
    this.#base = undefined;
  }
}
