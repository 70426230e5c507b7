import type { Db } from 'mongodb';
import type { Automation, AutomationId } from '../../domain/automation.js';
import { BatchQueue } from '../../domain/batch-queue.js';
import type { CategoryId } from '../../domain/category.js';
import { DomainError } from '../../domain/errors.js';
import type {
  AddOutcome,
  AutomationPage,
  AutomationQuery,
  AutomationRepository,
  NewAutomation,
  ReviseOutcome,
  Revision,
  Withdrawal,
  WithdrawOutcome,
} from '../../domain/ports.js';
import { addQueue } from '../storage/group-commit.js';
import { PageCache } from '../storage/page-cache.js';
import { AutomationAdd, KEY_FIELDS } from './automation-add.js';
import { AutomationList, type ListState, type Place } from './automation-list.js';
import { inTime, inWriteTime, READ, READ_ALL, reading, WRITE, writing } from './commands.js';
import { AUTOMATIONS, collectionsOf, type Collections } from './collections.js';
import {
  automationOf,
  changeOf,
  contentOf,
  idOf,
  SUMMARY,
  summaryOf,
  uuid,
  CONTENT,
  type AutomationDocument,
} from './documents.js';
import { isWorthRepeating, unavailable } from './failures.js';
import type { SelfCheck } from './self-check.js';
import { Sequence } from './sequence.js';
import type { MongoStorageSettings } from './settings.js';
import type { Snapshot } from './snapshot.js';
import { Upkeep } from './upkeep.js';
import { wordsIn } from './words.js';

/** Reads by id that go together. */
const MAX_BATCH_SIZE = 64;
const MAX_FREED = 500;

/** The time for which creates fail at once after one has found no store, so that each does not wait as long again. */
const HOPELESS_MS = 250;

const CHANGE = { ...WRITE, projection: { _id: 1 } };

interface Located {
  readonly snapshot: Snapshot;
  readonly revision: string;
  readonly total: number;
  readonly place: Place;
}

/** Automations in MongoDB: documents in the order of their numbers, and derived counts by which pages are found. */
export class MongoAutomationRepository implements AutomationRepository {
  readonly #collections: Collections;
  readonly #hasWords: boolean;
  readonly #list: AutomationList;
  readonly #sequence: Sequence;
  readonly #upkeep: Upkeep;
  readonly #pages = new PageCache();
  readonly #finds = new BatchQueue<AutomationId, Automation | undefined>((ids) => this.#findAll(ids), MAX_BATCH_SIZE);
  readonly #adds = addQueue((offers) => this.#add(offers));
  #hopelessUntil = -Infinity;

  /**
   * Over a database that `prepareMongo` has prepared, without which it refuses to write. Its client is not closed.
   * @throws TypeError when the driver is not 7.
   */
  constructor(
    private readonly db: Db,
    { search, ...settings }: MongoStorageSettings = {},
  ) {
    this.#hasWords = search !== false;
    this.#list = new AutomationList(db);
    this.#collections = collectionsOf(db);
    this.#sequence = new Sequence(db, this.#list);
    this.#upkeep = new Upkeep(db, this.#list, this.#sequence, settings);
  }

  /** Compares the counts with the automations. */
  get selfCheck(): SelfCheck {
    return this.#upkeep.selfCheck;
  }

  /** Ends the work in the background. */
  stop(): Promise<void> {
    return this.#upkeep.stop();
  }

  add(offers: readonly NewAutomation[]): Promise<readonly AddOutcome[]> {
    return inWriteTime(this.#adds.ask(offers));
  }

  find(id: AutomationId): Promise<Automation | undefined> {
    return inTime(this.#finds.ask(id));
  }

  list(query: AutomationQuery): Promise<AutomationPage> {
    return inTime(reading((signal) => this.#page(query, signal)));
  }

  countByCategory(): Promise<ReadonlyMap<CategoryId, number>> {
    return inTime(this.#read((state) => state.totals()));
  }

  async revise({ automation, basedOn, auditEntry }: Revision): Promise<ReviseOutcome> {
    const { automations } = this.#collections;
    const onSale = { _id: uuid(automation.id), on_sale: true } as const;
    const content = { ...contentOf(automation), ...(this.#hasWords && { words: wordsIn(automation) }) };
    const literals = Object.entries(content).map(([name, $literal]) => [name, { $literal }] as const);
    const change = changeOf({ words: '$$REMOVE', ...Object.fromEntries(literals) }, auditEntry);
    return this.#change(async (again) => {
      const before = await automations.findOneAndUpdate({ ...onSale, updated_at: basedOn }, change, CHANGE);
      if (before !== null) return { outcome: 'revised' };
      const document = await automations.findOne(onSale, { ...READ, projection: CONTENT });
      if (document === null) return { outcome: 'unknown' };
      if (again && document.updated_at.getTime() === automation.updatedAt.getTime()) return { outcome: 'revised' };
      return { outcome: 'conflict', automation: automationOf(document) };
    });
  }

  async withdraw(id: AutomationId, withdrawal: Withdrawal): Promise<WithdrawOutcome> {
    const { automations } = this.#collections;
    const { at, developerId, reason, auditEntry } = withdrawal;
    const filter = { _id: uuid(id), ...(developerId !== undefined && { developer_id: developerId }) };
    const fields = { withdrawn_at: at, ...(reason !== undefined && { withdrawn_reason: { $literal: reason } }) };
    const change = [...changeOf(fields, auditEntry), { $unset: 'on_sale' }];
    return this.#change(async (again) => {
      const before = await automations.findOneAndUpdate({ ...filter, on_sale: true }, change, CHANGE);
      if (before !== null) return 'withdrawn';
      const document = await automations.findOne(filter, { ...READ, projection: { withdrawn_at: 1 } });
      if (document === null) return 'unknown';
      return again && document.withdrawn_at?.getTime() === at.getTime() ? 'withdrawn' : 'already-withdrawn';
    });
  }

  async freeIdempotencyKeys(asOf: Date): Promise<number> {
    const { automations } = this.#collections;
    const expired = { idempotency_key_until: { $lte: asOf } };
    for (let total = 0; ;) {
      const some = await reading((signal) =>
        automations.find(expired, { ...READ_ALL, projection: { _id: 1 }, limit: MAX_FREED, signal }).toArray(),
      );
      if (some.length === 0) return total;
      const filter = { _id: { $in: some.map(({ _id }) => _id) }, ...expired };
      const freed = await writing(this.db, () => automations.updateMany(filter, { $unset: KEY_FIELDS }, WRITE));
      total += freed.modifiedCount;
    }
  }

  async #page(query: AutomationQuery, signal: AbortSignal): Promise<AutomationPage> {
    const { page, category } = query;
    const position = (page.number - 1) * page.limit;
    for (let tries = 1; ; tries += 1) {
      const located = await this.#read((state) => locate(state, position, category));
      const { revision, total } = located;
      const kept = this.#pages.find(revision, query);
      if (kept !== undefined) return kept;
      try {
        const items = await this.#readPage(query, located, signal);
        if (items.length < Math.min(page.limit, total - position)) this.#upkeep.noteShortPage();
        return this.#pages.keep(query, { items: items.map(summaryOf), total, revision });
      } catch (error) {
        if (tries === 2 || !isWorthRepeating(error)) throw error;
      }
    }
  }

  /** Reads the items at the moment of the state. */
  async #readPage(
    query: AutomationQuery,
    located: Located,
    signal: AbortSignal,
  ): Promise<readonly AutomationDocument[]> {
    const { limit, number } = query.page;
    const { place, snapshot, total } = located;
    if ((number - 1) * limit >= total) return [];
    const find = {
      find: AUTOMATIONS,
      filter: { on_sale: true, ...(query.category && { category_id: query.category }), seq: { $lt: place.below } },
      sort: { seq: -1 },
      skip: place.skip,
      limit,
      projection: SUMMARY,
    };
    return snapshot.read(find, signal);
  }

  /**
   * Reads the state of the list, and lets the upkeep see it, also when it could not be read: after a loss the tail may
   * be too long to be counted in time.
   */
  async #read<Answer>(use: (state: ListState) => Answer): Promise<Answer> {
    try {
      return await this.#list.read((state) => {
        this.#upkeep.noteState(state);
        return use(state);
      });
    } catch (error) {
      this.#upkeep.wake();
      throw error;
    }
  }

  async #add(offers: readonly NewAutomation[]): Promise<readonly AddOutcome[]> {
    if (performance.now() < this.#hopelessUntil)
      throw unavailable(new Error('the write before this one found no store'));
    const adding = new AutomationAdd(this.db, this.#sequence, offers, this.#hasWords);
    try {
      const outcomes = await writing(this.db, () => adding.outcomes());
      this.#upkeep.noteUsed(adding.highest);
      return outcomes;
    } catch (error) {
      const isHopeless = error instanceof DomainError && error.code !== 'not-prepared';
      if (isHopeless) this.#hopelessUntil = performance.now() + HOPELESS_MS;
      throw error;
    }
  }

  async #change<Outcome>(work: (again: boolean) => Promise<Outcome>): Promise<Outcome> {
    const outcome = await writing(this.db, work);
    this.#upkeep.wake();
    return outcome;
  }

  async #findAll(ids: readonly AutomationId[]): Promise<readonly (Automation | undefined)[]> {
    const filter = { _id: { $in: ids.map(uuid) }, on_sale: true } as const;
    const documents = await reading((signal) =>
      this.#collections.automations.find(filter, { ...READ_ALL, projection: CONTENT, signal }).toArray(),
    );
    const found = new Map(documents.map((document) => [idOf(document._id), document]));
    return ids.map((id) => {
      const document = found.get(id);
      return document && automationOf(document);
    });
  }
}

function locate(state: ListState, position: number, category: CategoryId | undefined): Located {
  const { snapshot, revision } = state;
  return { snapshot, revision, total: state.total(category), place: state.locate(position, category) };
}
