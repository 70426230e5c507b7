import type { Db, Document } from 'mongodb';
import { createHash } from 'node:crypto';
import { contentText } from '../../domain/automation.js';
import type { Category, CategoryId } from '../../domain/category.js';
import { AutomationList } from './automation-list.js';
import { saveCategories } from './category-repository.js';
import { READ, READ_ALL, reading, WRITE, writing } from './commands.js';
import { BSON_OPTIONS, collectionsOf, type Collections } from './collections.js';
import { automationOf, changeOf, type AuditDocument, type AutomationDocument } from './documents.js';
import { duplicatesIn, indexOf } from './failures.js';
import { Sequence } from './sequence.js';

/** An automation of the earlier version, with its number from 1. */
type EarlierAutomation = Omit<AutomationDocument, 'seq' | 'on_sale' | 'updated_at'> & {
  readonly number: number;
  readonly category_number: number;
};

type EarlierAudit = AuditDocument & { readonly position: number };

/** How far the collections of the earlier version were copied. */
interface Progress {
  /** The highest number. */
  readonly automations: number;
  /** The highest position. */
  readonly audit: number;
  /** The number of withdrawals. */
  readonly withdrawn: number;
  /** Whether all was copied once. From then on the new numbers are not those of the earlier version. */
  readonly isComplete: boolean;
}

const PROGRESS = { _id: 'upgrade' };
const MAX_COPIED = 1_000;

/**
 * Copies what the earlier version stored into the collections of this one. The earlier ones stay as they are: their
 * validators demand fields that are gone, and a process of the earlier version can still read them. It may be
 * interrupted, and run by several processes at once. Later starts only copy what an earlier process has added or
 * withdrawn since.
 */
export async function upgrade(db: Db): Promise<void> {
  const names = await reading((signal) => db.listCollections({}, { nameOnly: true, ...READ, signal }).toArray());
  if (names.some(({ name }) => name === 'tallies')) await new Upgrade(db).run();
}

class Upgrade {
  readonly #collections: Collections;
  readonly #sequence: Sequence;

  constructor(private readonly db: Db) {
    this.#collections = collectionsOf(db);
    this.#sequence = new Sequence(db, new AutomationList(db));
  }

  async run(): Promise<void> {
    const withdrawn = await this.#readWithdrawn();
    const progress = await this.#advance({ automations: 0, audit: 0 }, { withdrawn, isComplete: false });
    await this.#copyCategories();
    await this.#copyAutomations(progress);
    await this.#copyAudit(progress);
    if (!progress.isComplete) await this.#sequence.repair();
    else if (progress.withdrawn !== withdrawn) await this.#withdraw();
    await this.#finish(progress.isComplete ? withdrawn : progress.withdrawn);
  }

  /** Stores how far it has come, and returns how far all processes have come. */
  async #advance(reached: Pick<Progress, 'automations' | 'audit'>, first: Partial<Progress> = {}): Promise<Progress> {
    const value = Object.fromEntries(
      Object.entries(reached).map(([name, at]) => [name, { $max: [`$value.${name}`, at] }]),
    );
    const kept = Object.fromEntries(
      Object.entries(first).map(([name, at]) => [name, { $ifNull: [`$value.${name}`, at] }]),
    );
    const change = [{ $set: { value: { ...value, ...kept } } }];
    const options = { ...WRITE, upsert: true, returnDocument: 'after' } as const;
    const { settings } = this.#collections;
    const stored = await writing(this.db, () => settings.findOneAndUpdate(PROGRESS, change, options));
    return stored?.value as Progress;
  }

  async #finish(withdrawn: number): Promise<void> {
    const change = { $set: { 'value.isComplete': true, 'value.withdrawn': withdrawn } };
    await writing(this.db, () => this.#collections.settings.updateOne(PROGRESS, change, WRITE));
  }

  async #readWithdrawn(): Promise<number> {
    const tallies = this.db.collection<{ _id: string; withdrawn: number }>('tallies');
    return (await reading((signal) => tallies.findOne({ _id: '' }, { ...READ, signal })))?.withdrawn ?? 0;
  }

  async #copyCategories(): Promise<void> {
    const categories = this.db.collection<{ _id: CategoryId; name: string }>('categories');
    const documents = await reading((signal) => categories.find({}, { ...READ_ALL, signal }).toArray());
    const copies = documents.map(({ _id, name }): Category => ({ id: _id, name }));
    if (copies.length > 0) await saveCategories(this.db, copies, true);
  }

  /** The first copy keeps the numbers. Later ones take free numbers, as the earlier ones may be used here by now. */
  async #copyAutomations({ automations, audit, isComplete }: Progress): Promise<void> {
    for (let copied = automations; ;) {
      const some = await this.#above<EarlierAutomation>('automations', 'number', copied);
      const last = some.at(-1);
      if (last === undefined) return;
      await this.#insert(some.map(copyOf), isComplete);
      copied = (await this.#advance({ automations: last.number, audit })).automations;
    }
  }

  async #copyAudit({ automations, audit }: Progress): Promise<void> {
    for (let copied = audit; ;) {
      const some = await this.#above<EarlierAudit>('audit', 'position', copied);
      const last = some.at(-1);
      if (last === undefined) return;
      const copies = some.map((entry): AuditDocument => without(entry, 'position'));
      const insert = () => this.#collections.audit.insertMany(copies, UNORDERED).catch(duplicatesIn);
      await writing(this.db, async () => insert());
      copied = (await this.#advance({ automations, audit: last.position })).audit;
    }
  }

  /** Takes off the market what an earlier process has withdrawn since the first copy. */
  async #withdraw(): Promise<void> {
    const { automations } = this.#collections;
    for (let seen = 0; ;) {
      const some = await this.#above<EarlierAutomation>('automations', 'number', seen, WITHDRAWN);
      const last = some.at(-1);
      if (last === undefined) return;
      const filter = { _id: { $in: some.map(({ _id }) => _id) }, on_sale: true } as const;
      const onSale = await reading((signal) =>
        automations.find(filter, { ...READ_ALL, projection: { _id: 1 }, signal }).toArray(),
      );
      const ids = new Set(onSale.map(({ _id }) => _id.toString()));
      for (const { _id, withdrawn_at, withdrawn_reason } of some.filter(({ _id }) => ids.has(_id.toString()))) {
        const reason = withdrawn_reason !== undefined && { withdrawn_reason: { $literal: withdrawn_reason } };
        const change = [...changeOf({ withdrawn_at, ...reason }), { $unset: 'on_sale' }];
        await writing(this.db, () => automations.updateOne({ _id, on_sale: true }, change, WRITE));
      }
      seen = last.number;
    }
  }

  /** Returns the next documents of an earlier collection, in its order. */
  #above<Earlier extends Document>(
    collection: string,
    field: keyof Earlier & string,
    position: number,
    filter: Document = {},
  ): Promise<readonly Earlier[]> {
    const options = { ...READ_ALL, sort: { [field]: 1 }, limit: MAX_COPIED } as const;
    const earlier = this.db.collection(collection, MAJORITY);
    const above = { ...filter, [field]: { $gt: position } };
    return reading((signal) => earlier.find<Earlier>(above, { ...options, signal }).toArray());
  }

  /** Inserts the copies. One whose number is taken gets another, one that is there is left out. */
  async #insert(copies: readonly AutomationDocument[], needNumbers: boolean): Promise<void> {
    let missing = needNumbers ? await this.#withoutStored(copies) : copies;
    for (let isFirst = !needNumbers; missing.length > 0; isFirst = false) {
      const numbered = isFirst ? missing : await this.#numbered(missing);
      const duplicates = await writing(this.db, async () => this.#insertMany(numbered));
      missing = duplicates.flatMap((duplicate) => {
        const copy = numbered[duplicate.index];
        if (copy === undefined || indexOf(duplicate) === '_id_') return [];
        return indexOf(duplicate) === 'seq' ? [copy] : [withoutKey(copy)];
      });
    }
  }

  async #insertMany(copies: readonly AutomationDocument[]) {
    try {
      await this.#collections.automations.insertMany(copies, UNORDERED);
      return [];
    } catch (error) {
      return duplicatesIn(error);
    }
  }

  async #numbered(copies: readonly AutomationDocument[]): Promise<readonly AutomationDocument[]> {
    const first = await this.#sequence.reserve(copies.length);
    return copies.map((copy, index) => ({ ...copy, seq: first + index }));
  }

  async #withoutStored(copies: readonly AutomationDocument[]): Promise<readonly AutomationDocument[]> {
    const filter = { _id: { $in: copies.map(({ _id }) => _id) } };
    const options = { ...READ_ALL, projection: { _id: 1 } };
    const stored = await reading((signal) =>
      this.#collections.automations.find(filter, { ...options, signal }).toArray(),
    );
    const ids = new Set(stored.map(({ _id }) => _id.toString()));
    return copies.filter(({ _id }) => !ids.has(_id.toString()));
  }
}

const UNORDERED = { ...WRITE, ordered: false };
const MAJORITY = { readConcern: { level: 'majority' }, readPreference: 'primary', ...BSON_OPTIONS } as const;
const WITHDRAWN = { withdrawn_at: { $exists: true } };

function copyOf(earlier: EarlierAutomation): AutomationDocument {
  const content = without(earlier, 'number', 'category_number');
  const copy = { ...content, seq: earlier.number, updated_at: content.created_at };
  const hash = createHash('sha256')
    .update(contentText(automationOf(copy)))
    .digest('hex');
  return {
    ...copy,
    ...(content.withdrawn_at === undefined && { on_sale: true }),
    ...(content.idempotency_key !== undefined && { request_hash: hash }),
  };
}

function withoutKey(copy: AutomationDocument): AutomationDocument {
  return without(copy, 'idempotency_key', 'idempotency_key_until', 'request_hash');
}

function without<Value extends object, Name extends keyof Value>(value: Value, ...names: Name[]): Omit<Value, Name> {
  const others = Object.entries(value).filter(([name]) => !names.includes(name as Name));
  return Object.fromEntries(others) as Omit<Value, Name>;
}
