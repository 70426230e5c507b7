import type { Db } from 'mongodb';
import type { Category, CategoryId } from '../../domain/category.js';
import type { CategoryRepository } from '../../domain/ports.js';
import { collectionsOf, type CategoryDocument, type Collections } from './documents.js';
import { reading, transacting } from './failures.js';

/** Categories in MongoDB. */
export class MongoCategoryRepository implements CategoryRepository {
  readonly #categories: Collections['categories'];

  constructor(private readonly db: Db) {
    this.#categories = collectionsOf(db).categories;
  }

  async list(): Promise<readonly Category[]> {
    const documents = await reading((signal) => this.#categories.find({}, { maxTimeMS: 2_000, signal }).toArray());
    return documents.map(categoryOf);
  }

  async find(id: CategoryId): Promise<Category | undefined> {
    const document = await reading((signal) => this.#categories.findOne({ _id: id }, { maxTimeMS: 2_000, signal }));
    return document === null ? undefined : categoryOf(document);
  }

  async save(categories: readonly Category[]): Promise<number> {
    if (categories.length === 0) return 0;
    const writes = categories.map(({ id, name }) => ({
      updateOne: { filter: { _id: id }, update: { $set: { name } }, upsert: true },
    }));
    const { upsertedCount } = await transacting(this.db.client, (session) =>
      this.#categories.bulkWrite(writes, { session, ordered: true }),
    );
    return upsertedCount;
  }
}

function categoryOf({ _id, name }: CategoryDocument): Category {
  return { id: _id, name };
}
