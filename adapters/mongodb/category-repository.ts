import type { ClientSession, Db } from 'mongodb';
import type { Category, CategoryId } from '../../domain/category.js';
import type { CategoryRepository } from '../../domain/ports.js';
import { collectionsOf, type Collections } from './collections.js';
import { findOne, WRITE } from './commands.js';
import { isDuplicate } from './failures.js';
import { transaction } from './transactions.js';

const CATEGORIES = { _id: 'categories' };

/** At worst a name is as old as this that another process has changed or removed. */
const KEPT_MS = 5_000;

type Names = ReadonlyMap<CategoryId, string>;

/**
 * Categories in MongoDB: one document has all names, so that several are saved together or not at all. Every create
 * asks for a category, so the names are kept for some seconds.
 */
export class MongoCategoryRepository implements CategoryRepository {
  readonly #settings: Collections['settings'];
  #kept: { readonly names: Promise<Names>; readonly until: number } | undefined;

  /** Over a database that `prepareMongo` has prepared, by a client of the driver 7, which stays open. */
  constructor(private readonly db: Db) {
    this.#settings = collectionsOf(db).settings;
  }

  async list(): Promise<readonly Category[]> {
    return Array.from(await this.#read(), ([id, name]) => ({ id, name }));
  }

  async find(id: CategoryId): Promise<Category | undefined> {
    const kept = this.#kept !== undefined && performance.now() < this.#kept.until ? await this.#kept.names : undefined;
    const name = kept?.get(id) ?? (await this.#readAndKeep()).get(id);
    return name === undefined ? undefined : { id, name };
  }

  async save(categories: readonly Category[]): Promise<number> {
    if (categories.length === 0) return 0;
    try {
      return await saveCategories(this.db, categories);
    } finally {
      this.#kept = undefined;
    }
  }

  async remove(id: CategoryId): Promise<boolean> {
    const member = `value.${id}`;
    const change = { $unset: { [member]: '' } } as const;
    const remove = (session: ClientSession) =>
      this.#settings.findOneAndUpdate({ ...CATEGORIES, [member]: { $exists: true } }, change, { ...WRITE, session });
    try {
      return (await transaction(this.db, remove)) !== null;
    } finally {
      this.#kept = undefined;
    }
  }

  #readAndKeep(): Promise<Names> {
    const names = this.#read();
    const kept = { names, until: performance.now() + KEPT_MS };
    this.#kept = kept;
    names.catch(() => {
      if (this.#kept === kept) this.#kept = undefined;
    });
    return names;
  }

  async #read(): Promise<Names> {
    const names = (await findOne(this.#settings, CATEGORIES))?.value ?? {};
    return new Map(Object.entries(names) as [CategoryId, string][]);
  }
}

/** Adds the categories whose id is new and renames the others, in one document. Returns how many were new. */
async function saveCategories(db: Db, categories: readonly Category[]): Promise<number> {
  const { settings } = collectionsOf(db);
  const names = Object.fromEntries(categories.map(({ id, name }) => [id, { $literal: name }]));
  const change = [{ $set: { value: { $mergeObjects: [{ $ifNull: ['$value', {}] }, names] } } }];
  const options = { ...WRITE, upsert: true, returnDocument: 'before' } as const;
  const save = (session: ClientSession) => settings.findOneAndUpdate(CATEGORIES, change, { ...options, session });
  const before = await transaction(db, save, isDuplicate);
  const known = (before?.value ?? {}) as Record<string, string>;
  return Object.keys(names).filter((id) => !Object.hasOwn(known, id)).length;
}
