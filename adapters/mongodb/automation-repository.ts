import type { Db, Filter } from 'mongodb';
import { withdrawalEntries } from '../../domain/audit.js';
import type { Automation, AutomationId } from '../../domain/automation.js';
import type { CategoryId } from '../../domain/category.js';
import type { Currency } from '../../domain/currency.js';
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
import {
  automationOf,
  CONTENT,
  contentOf,
  fileDocumentOf,
  idOf,
  KEY_FIELDS,
  uuid,
  type AutomationDocument,
} from './automation-documents.js';
import { AutomationNumbers } from './automation-numbers.js';
import { MongoAutomationPages } from './automation-pages.js';
import { collectionsOf, type Collections } from './collections.js';
import { findAll, findOne, inTime, READ, READ_ALL, WRITE, writing } from './commands.js';
import { CountDeltas, type Change } from './count-deltas.js';
import { CountedList } from './counted-list.js';
import { checkCounts } from './counts-check.js';
import { checkFiles } from './files-check.js';
import { checkCurrency, recordCurrency, type MongoStorageSettings } from './schema.js';
import { wordsIn } from './words.js';

/** Reads by id that go together. */
const MAX_BATCH_SIZE = 64;
const MAX_FREED = 500;

/** Automations in MongoDB: documents in the order of their numbers, and derived counts by which pages are found. */
export class MongoAutomationRepository implements AutomationRepository {
  readonly #collections: Collections;
  readonly #hasWords: boolean;
  #currency: Currency | undefined;
  readonly #numbers: AutomationNumbers;
  readonly #deltas: CountDeltas;
  readonly #pages: MongoAutomationPages;
  readonly #finds = new BatchQueue<AutomationId, Automation | undefined>((ids) => this.#findAll(ids), MAX_BATCH_SIZE);
  readonly #adds = addQueue((offers) => this.#add(offers));

  /** Over a database that `prepareMongo` has prepared, by a client of the driver 7, which stays open. */
  constructor(
    private readonly db: Db,
    { search, onError }: MongoStorageSettings = {},
    private readonly counted = new CountedList(db, onError),
  ) {
    this.#hasWords = search !== false;
    this.#collections = collectionsOf(db);
    this.#numbers = new AutomationNumbers(db);
    this.#pages = new MongoAutomationPages(counted);
    this.#deltas = new CountDeltas(db, () => counted.merge.begin());
  }

  /** Compares the counter of numbers, counts, files and the currency with the automations. Returns what differed. */
  async check(repair: boolean) {
    const numbers = await this.#numbers.check(repair);
    const files = await checkFiles(this.db, repair);
    return [...numbers, ...(await checkCounts(this.db, repair)), ...files, ...(await checkCurrency(this.db))];
  }

  /** Ends the work in the background. */
  stop(): Promise<void> {
    return this.counted.merge.stop();
  }

  add(offers: readonly NewAutomation[]): Promise<readonly AddOutcome[]> {
    return this.#adds.ask(offers);
  }

  find(id: AutomationId): Promise<Automation | undefined> {
    return inTime(this.#finds.ask(id));
  }

  async readFile(id: AutomationId): Promise<Uint8Array | undefined> {
    return (await findOne(this.#collections.automationFiles, { _id: uuid(id) }))?.content.value();
  }

  list(query: AutomationQuery): Promise<AutomationPage> {
    return this.#pages.list(query);
  }

  countByCategory(): Promise<ReadonlyMap<CategoryId, number>> {
    return inTime(this.counted.read(({ counts }) => counts.totals()));
  }

  async revise({ automation, basedOn, fileContent, auditEntry }: Revision): Promise<ReviseOutcome> {
    const { automations, automationFiles: files } = this.#collections;
    const currency = await this.#currencyFor(automation);
    if (automation.price.currency !== currency) return { outcome: 'other-currency', currency };
    const onSale = { _id: uuid(automation.id), on_sale: true } as const;
    const content = { ...contentOf(automation), ...(this.#hasWords && { words: wordsIn(automation) }) };
    const change = { $set: content, ...(!this.#hasWords && { $unset: { words: '' } as const }) };
    return this.#deltas.change<ReviseOutcome>(async (session) => {
      const before = await automations.findOneAndUpdate({ ...onSale, updated_at: basedOn }, change, {
        ...COUNTED,
        session,
      });
      if (before === null) {
        const stored = await automations.findOne(onSale, { ...READ, projection: CONTENT, session });
        if (stored === null) return { outcome: { outcome: 'unknown' } };
        return { outcome: { outcome: 'conflict', automation: automationOf(stored) } };
      }
      if (fileContent && automation.file) {
        const file = fileDocumentOf(automation.id, fileContent);
        await files.replaceOne({ _id: file._id }, file, { ...WRITE, session, upsert: true });
      } else if (automation.file === null && before.file)
        await files.deleteOne({ _id: onSale._id }, { ...WRITE, session });
      await insertEntries(this.#collections, auditEntry ? [auditEntry] : [], session);
      const { seq, category_id: was } = before;
      return {
        outcome: { outcome: 'revised' },
        changes: was === automation.categoryId ? [] : moved(seq, was, automation),
      };
    });
  }

  withdraw(id: AutomationId, withdrawal: Withdrawal): Promise<WithdrawOutcome> {
    const { automations, automationFiles } = this.#collections;
    const { developerId, auditEntry } = withdrawal;
    const filter = { _id: uuid(id), ...(developerId !== undefined && { developer_id: developerId }) };
    const change = withdrawalOf(withdrawal);
    return this.#deltas.change<WithdrawOutcome>(async (session) => {
      const options = { ...COUNTED, session };
      const before = await automations.findOneAndUpdate({ ...filter, on_sale: true }, change, options);
      if (before === null) {
        const stored = await automations.findOne(filter, { ...READ, projection: { _id: 1 }, session });
        return { outcome: stored === null ? 'unknown' : 'already-withdrawn' };
      }
      if (before.file) await automationFiles.deleteOne({ _id: filter._id }, { ...WRITE, session });
      await insertEntries(this.#collections, auditEntry ? [auditEntry] : [], session);
      return { outcome: 'withdrawn', changes: [withdrawn(before)] };
    });
  }

  withdrawAll(withdrawal: BulkWithdrawal): Promise<readonly AutomationId[]> {
    const { automations, automationFiles } = this.#collections;
    const { developerId, entryIds } = withdrawal;
    const onSale: Filter<AutomationDocument> = { developer_id: developerId, on_sale: true };
    const oldest = { ...READ_ALL, projection: COUNTED.projection, sort: { seq: 1 }, limit: entryIds.length } as const;
    return this.#deltas.change(async (session) => {
      const found = await automations.find(onSale, { ...oldest, session }).toArray();
      if (found.length === 0) return { outcome: [] };
      const filter = { _id: { $in: found.map(({ _id }) => _id) } };
      await automations.updateMany(filter, withdrawalOf(withdrawal), { ...WRITE, session });
      if (found.some(({ file }) => file)) await automationFiles.deleteMany(filter, { ...WRITE, session });
      const outcome = found.map(({ _id }) => idOf(_id));
      await insertEntries(this.#collections, withdrawalEntries(outcome, withdrawal), session);
      return { outcome, changes: found.map(withdrawn) };
    });
  }

  async freeIdempotencyKeys(asOf: Date): Promise<number> {
    const { automations } = this.#collections;
    const expired = { idempotency_key_until: { $lte: asOf } };
    for (let total = 0; ;) {
      const some = await findAll(automations, expired, { projection: { _id: 1 }, limit: MAX_FREED });
      const filter = { _id: { $in: some.map(({ _id }) => _id) }, ...expired };
      const freed = await writing(this.db, () => automations.updateMany(filter, { $unset: KEY_FIELDS }, WRITE));
      total += freed.modifiedCount;
      if (some.length < MAX_FREED) return total;
    }
  }

  async #add(offers: readonly NewAutomation[]): Promise<readonly AddOutcome[]> {
    const [first] = offers;
    if (first === undefined) return [];
    const currency = await this.#currencyFor(first.automation);
    const adding = new AutomationAdd(this.#collections, this.#numbers, offers, currency, this.#hasWords);
    return this.#deltas.change(
      (session) => adding.tryIn(session),
      (error) => adding.hasLost(error),
    );
  }

  /** Returns the recorded currency, which never changes. Where none is recorded, it becomes that of the automation. */
  async #currencyFor({ price }: Automation): Promise<Currency> {
    return (this.#currency ??= await recordCurrency(this.db, price.currency));
  }

  async #findAll(ids: readonly AutomationId[]): Promise<readonly (Automation | undefined)[]> {
    const filter = { _id: { $in: ids.map(uuid) }, on_sale: true } as const;
    const documents = await findAll(this.#collections.automations, filter, { projection: CONTENT });
    const found = new Map(documents.map((document) => [idOf(document._id), document]));
    return ids.map((id) => {
      const document = found.get(id);
      return document && automationOf(document);
    });
  }
}

/** What the counts and the files need of an automation that is changed, as it was before. */
const COUNTED = { ...WRITE, projection: { seq: 1, category_id: 1, 'file.name': 1 } } as const;

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
