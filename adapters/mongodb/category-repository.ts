import type { Db } from 'mongodb';
import { BatchQueue } from '../../domain/batch-queue.js';
import type { Category, CategoryId } from '../../domain/category.js';
import type { CategoryRepository } from '../../domain/ports.js';
import { collectionsOf, type CategoryDocument, type Collections } from './documents.js';
import { AT_ONCE, inTime, reading, transacting, WITHIN } from './operations.js';

/** Reads by id in one command at most. */
const MAX_BATCH_SIZE = 1_000;

/**
 * In milliseconds. No category is ever taken away; at worst a name is as old as this that another process has changed.
 */
const REMEMBERED = 5_000;

/**
 * Categories in MongoDB. Reads that come together go together, and what was found is not looked for again at once, and
 * then all of it in one read: every create asks.
 */
export class MongoCategoryRepository implements CategoryRepository {
  readonly #categories: Collections['categories'];
  readonly #known = new Map<CategoryId, { readonly category: Category; readonly until: number }>();
  #saves = 0;
  readonly #finds = new BatchQueue<CategoryId, Category | undefined>((ids) => this.#findAll(ids), MAX_BATCH_SIZE);

  /** Over a database that `prepareMongo` has prepared; its client stays its maker's to close. */
  constructor(private readonly db: Db) {
    this.#categories = collectionsOf(db).categories;
  }

  async list(): Promise<readonly Category[]> {
    const documents = await reading((signal) => this.#categories.find({}, { ...AT_ONCE, signal }).toArray());
    return documents.map(categoryOf);
  }

  find(id: CategoryId): Promise<Category | undefined> {
    const known = this.#known.get(id);
    if (known !== undefined && performance.now() < known.until) return Promise.resolve({ ...known.category });
    return inTime(this.#finds.ask(id));
  }

  async save(categories: readonly Category[]): Promise<number> {
    if (categories.length === 0) return 0;
    const writes = categories.map(({ id, name }) => ({
      updateOne: { filter: { _id: id }, update: { $set: { name } }, upsert: true },
    }));
    try {
      const { upsertedCount } = await transacting(this.db.client, (session) =>
        this.#categories.bulkWrite(writes, { ...WITHIN, session, ordered: true }),
      );
      return upsertedCount;
    } finally {
      this.#saves += 1;
      this.#known.clear();
    }
  }

  async #findAll(asked: readonly CategoryId[]): Promise<readonly (Category | undefined)[]> {
    const saves = this.#saves;
    const until = performance.now() + REMEMBERED;
    const ids = Array.from(new Set([...asked, ...this.#known.keys()]));
    const filter = { _id: { $in: ids.slice(0, MAX_BATCH_SIZE) } };
    const documents = await reading((signal) => this.#categories.find(filter, { ...AT_ONCE, signal }).toArray());
    const found = new Map(documents.map((document) => [document._id, categoryOf(document)]));
    if (saves === this.#saves)
      for (const [id, category] of found) this.#known.set(id, { category: { ...category }, until });
    return asked.map((id) => found.get(id));
  }
}

function categoryOf({ _id, name }: CategoryDocument): Category {
  return { id: _id, name };
}
