import type { Db } from 'mongodb';
import { Batches } from '../../domain/batches.js';
import type { Category, CategoryId } from '../../domain/category.js';
import type { CategoryRepository } from '../../domain/ports.js';
import { collectionsOf, type CategoryDocument, type Collections } from './documents.js';
import { AT_ONCE, inTime, reading, transacting, WITHIN } from './failures.js';

/** Reads by id in one command at most. */
const MOST_TOGETHER = 1_000;

/** Categories in MongoDB. Reads that come together go together. */
export class MongoCategoryRepository implements CategoryRepository {
  readonly #categories: Collections['categories'];
  readonly #finds = new Batches<CategoryId, Category | undefined>((ids) => this.#findAll(ids), MOST_TOGETHER);

  constructor(private readonly db: Db) {
    this.#categories = collectionsOf(db).categories;
  }

  async list(): Promise<readonly Category[]> {
    const documents = await reading((signal) => this.#categories.find({}, { ...AT_ONCE, signal }).toArray());
    return documents.map(categoryOf);
  }

  find(id: CategoryId): Promise<Category | undefined> {
    return inTime(this.#finds.ask(id));
  }

  async save(categories: readonly Category[]): Promise<number> {
    if (categories.length === 0) return 0;
    const writes = categories.map(({ id, name }) => ({
      updateOne: { filter: { _id: id }, update: { $set: { name } }, upsert: true },
    }));
    const { upsertedCount } = await transacting(this.db.client, (session) =>
      this.#categories.bulkWrite(writes, { ...WITHIN, session, ordered: true }),
    );
    return upsertedCount;
  }

  async #findAll(asked: readonly CategoryId[]): Promise<readonly (Category | undefined)[]> {
    const filter = { _id: { $in: Array.from(new Set(asked)) } };
    const documents = await reading((signal) => this.#categories.find(filter, { ...AT_ONCE, signal }).toArray());
    const found = new Map(documents.map((document) => [document._id, categoryOf(document)]));
    return asked.map((id) => found.get(id));
  }
}

function categoryOf({ _id, name }: CategoryDocument): Category {
  return { id: _id, name };
}
