import type { ClientSession, Db, Filter } from 'mongodb';
import { withdrawalEntries } from '../../domain/audit.js';
import type { Automation, AutomationId } from '../../domain/automation.js';
import type { CategoryId } from '../../domain/category.js';
import type {
  AddOutcome,
  AutomationPage,
  AutomationQuery,
  AutomationRepository,
  BulkWithdrawal,
  NewAutomation,
  ReviseOutcome,
  Revision,
  Withdrawal,
  WithdrawOutcome,
} from '../../domain/ports.js';
import { BatchQueue } from '../storage/batch-queue.js';
import { addQueue } from '../storage/group-commit.js';
import { insertEntries } from './audit-log.js';
import { AutomationAdd } from './automation-add.js';
import { automationOf, CONTENT, contentOf, idOf, KEY_FIELDS, uuid } from './automation-documents.js';
import { AutomationPages } from './automation-pages.js';
import { AutomationNumbers } from './automation-numbers.js';
import { collectionsOf, type Collections, type AutomationDocument } from './collections.js';
import { checkPrepared, inTime, READ, READ_ALL, reading, WRITE, writing } from './commands.js';
import { CountedList } from './counted-list.js';
import { CountDeltas, type Change } from './counts.js';
import { checkCounts } from './counts-check.js';
import { CountsMerge } from './counts-merge.js';
import { isUnfitField } from './failures.js';
import type { MongoStorageSettings } from './schema.js';
import { transaction } from './transactions.js';
import { wordsIn } from './words.js';

/** Reads by id that go together. */
const MAX_BATCH_SIZE = 64;
const MAX_FREED = 500;

/** What a transaction has changed: its outcome, and how the counts change with it. */
interface Changed<Outcome> {
  readonly outcome: Outcome;
  /** Undefined when nothing was changed; empty for a change that counts nothing. */
  readonly changes?: readonly Change[] | undefined;
}

/** Automations in MongoDB: documents in the order of their numbers, and derived counts by which pages are found. */
export class MongoAutomationRepository implements AutomationRepository {
  readonly #collections: Collections;
  readonly #hasWords: boolean;
  readonly #numbers: AutomationNumbers;
  readonly #deltas = new CountDeltas();
  readonly #merge: CountsMerge;
  readonly #pages: AutomationPages;
  readonly #finds = new BatchQueue<AutomationId, Automation | undefined>((ids) => this.#findAll(ids), MAX_BATCH_SIZE);
  readonly #adds = addQueue((offers) => this.#add(offers));

  /** Over a database that `prepareMongo` has prepared, by a client of the driver 7, which stays open. */
  constructor(
    private readonly db: Db,
    { search, onError = () => undefined }: MongoStorageSettings = {},
    counted = new CountedList(db),
  ) {
    this.#hasWords = search !== false;
    this.#collections = collectionsOf(db);
    this.#numbers = new AutomationNumbers(db);
    this.#merge = new CountsMerge(db, onError);
    this.#pages = new AutomationPages(counted, (deltas) => this.#merge.noteCount(deltas));
  }

  /** Compares the counter of numbers and the counts with the automations, and returns what differed. */
  async check(repair: boolean) {
    return [...(await this.#numbers.check(repair)), ...(await checkCounts(this.db, repair))];
  }

  /** Ends the work in the background. */
  stop(): Promise<void> {
    return this.#merge.stop();
  }

  add(offers: readonly NewAutomation[]): Promise<readonly AddOutcome[]> {
    return this.#adds.ask(offers);
  }

  find(id: AutomationId): Promise<Automation | undefined> {
    return inTime(this.#finds.ask(id));
  }

  list(query: AutomationQuery): Promise<AutomationPage> {
    return this.#pages.find(query);
  }

  countByCategory(): Promise<ReadonlyMap<CategoryId, number>> {
    return this.#pages.countByCategory();
  }

  revise({ automation, basedOn, auditEntry }: Revision): Promise<ReviseOutcome> {
    const { automations } = this.#collections;
    const onSale = { _id: uuid(automation.id), on_sale: true } as const;
    const content = { ...contentOf(automation), ...(this.#hasWords && { words: wordsIn(automation) }) };
    const change = { $set: content, ...(!this.#hasWords && { $unset: { words: '' } as const }) };
    return this.#change<ReviseOutcome>(async (session) => {
      const before = await automations.findOneAndUpdate({ ...onSale, updated_at: basedOn }, change, {
        ...COUNTED,
        session,
      });
      if (before === null) {
        const stored = await automations.findOne(onSale, { ...READ, projection: CONTENT, session });
        if (stored === null) return { outcome: { outcome: 'unknown' } };
        return { outcome: { outcome: 'conflict', automation: automationOf(stored) } };
      }
      await insertEntries(this.#collections, auditEntry ? [auditEntry] : [], session);
      const { seq, category_id: was } = before;
      return {
        outcome: { outcome: 'revised' },
        changes: was === automation.categoryId ? [] : moved(seq, was, automation),
      };
    });
  }

  withdraw(id: AutomationId, withdrawal: Withdrawal): Promise<WithdrawOutcome> {
    const { automations } = this.#collections;
    const { developerId, auditEntry } = withdrawal;
    const filter = { _id: uuid(id), ...(developerId !== undefined && { developer_id: developerId }) };
    const change = withdrawalOf(withdrawal);
    return this.#change<WithdrawOutcome>(async (session) => {
      const options = { ...COUNTED, session };
      const before = await automations.findOneAndUpdate({ ...filter, on_sale: true }, change, options);
      if (before === null) {
        const stored = await automations.findOne(filter, { ...READ, projection: { _id: 1 }, session });
        return { outcome: stored === null ? 'unknown' : 'already-withdrawn' };
      }
      await insertEntries(this.#collections, auditEntry ? [auditEntry] : [], session);
      return { outcome: 'withdrawn', changes: [withdrawn(before)] };
    });
  }

  withdrawAll(withdrawal: BulkWithdrawal): Promise<readonly AutomationId[]> {
    const { automations } = this.#collections;
    const { developerId, entryIds } = withdrawal;
    const onSale: Filter<AutomationDocument> = { developer_id: developerId, on_sale: true };
    const oldest = { ...READ_ALL, projection: COUNTED.projection, sort: { seq: 1 }, limit: entryIds.length } as const;
    return this.#change(async (session) => {
      const found = await automations.find(onSale, { ...oldest, session }).toArray();
      if (found.length === 0) return { outcome: [] };
      const filter = { _id: { $in: found.map(({ _id }) => _id) } };
      await automations.updateMany(filter, withdrawalOf(withdrawal), { ...WRITE, session });
      const outcome = found.map(({ _id }) => idOf(_id));
      await insertEntries(this.#collections, withdrawalEntries(outcome, withdrawal), session);
      return { outcome, changes: found.map(withdrawn) };
    });
  }

  async freeIdempotencyKeys(asOf: Date): Promise<number> {
    const { automations } = this.#collections;
    const expired = { idempotency_key_until: { $lte: asOf } };
    await checkPrepared(this.db);
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

  async #add(offers: readonly NewAutomation[]): Promise<readonly AddOutcome[]> {
    const adding = new AutomationAdd(this.#collections, this.#numbers, offers, this.#hasWords);
    const work = async (session: ClientSession) => {
      const { outcomes, changes } = await adding.tryIn(session);
      return { outcome: outcomes, changes: changes.length > 0 ? changes : undefined };
    };
    return this.#change(work, (error) => adding.hasLost(error));
  }

  /**
   * Does the work and changes the counts in one transaction. Its delta is one that no transaction writes when it
   * begins. A delta of a try that has failed is not used again.
   */
  async #change<Outcome>(
    work: (session: ClientSession) => Promise<Changed<Outcome>>,
    again: (error: unknown) => boolean = () => false,
  ): Promise<Outcome> {
    const attempt = async (session: ClientSession) => {
      const delta = this.#deltas.take();
      const { outcome, changes } = await work(session);
      if (changes !== undefined) await delta.write(this.#collections, changes, session);
      return { outcome, delta };
    };
    const { outcome, delta } = await transaction(this.db, attempt, (error) => again(error) || isUnfitField(error));
    const full = this.#deltas.giveBack(delta);
    if (full !== undefined) this.#merge.noteFull(full);
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

/** What the counts need of an automation that is changed, as it was before. */
const COUNTED = { ...WRITE, projection: { seq: 1, category_id: 1 } } as const;

function withdrawn({ seq, category_id: category }: Pick<AutomationDocument, 'seq' | 'category_id'>): Change {
  return { seq, category, difference: -1 };
}

function moved(seq: number, was: CategoryId, { categoryId }: Automation): readonly Change[] {
  return [
    { seq, category: was, difference: -1 },
    { seq, category: categoryId, difference: 1 },
  ];
}

function withdrawalOf({ at, by, reason }: Pick<Withdrawal, 'at' | 'by' | 'reason'>) {
  const fields = { withdrawn_at: at, withdrawn_by: by, ...(reason !== undefined && { withdrawn_reason: reason }) };
  return { $set: fields, $unset: { on_sale: '' } } as const;
}
