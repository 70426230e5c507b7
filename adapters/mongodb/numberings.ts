import type { Db, Document } from 'mongodb';
import { Batches } from '../../domain/batches.js';
import type { CategoryId } from '../../domain/category.js';
import type { Numbering } from '../../domain/numbering.js';
import { collectionsOf, type Collections, type TallyDocument } from './documents.js';
import { unsettled } from './failures.js';
import { AT_ONCE, MOST_TRIES, reading, WITHIN } from './operations.js';

/** A category, or the empty text for all automations. */
export type Scope = CategoryId | '';

/** The highest number given in a scope, or the tally of a scope. */
type Row = { scope: Scope; highest: number } | TallyDocument;

/** Scopes asked for in one command at most. */
const MOST_TOGETHER = 64;
const WITHDRAWN_AT_ONCE = 2_000;

/** Reads how far the numbers of a scope go: one command for all who ask at the same time, an index key for each scope. */
export class Numberings {
  readonly #collections: Collections;
  readonly #withdrawn = new Map<Scope, readonly number[]>();
  readonly #reads = new Batches<Scope, Numbering>((scopes) => this.#read(scopes), MOST_TOGETHER);

  constructor(db: Db) {
    this.#collections = collectionsOf(db);
  }

  of(scope: Scope): Promise<Numbering> {
    return this.#reads.ask(scope);
  }

  /** The highest numbers alone, of all these scopes in one command. */
  async highest(scopes: readonly Scope[]): Promise<readonly number[]> {
    const rows = await this.#readRows(scopes);
    return scopes.map((scope) => highestIn(scope, rows));
  }

  /** Of one snapshot; the index is skipped through from category to category. */
  async onSaleByCategory(): Promise<ReadonlyMap<CategoryId, number>> {
    const rows = await reading((signal) =>
      this.#collections.automations
        .aggregate<Row>(BY_CATEGORY, { ...WITHIN, signal, readConcern: { level: 'snapshot' } })
        .toArray(),
    );
    const scopes = new Set(rows.map((row) => ('scope' in row ? row.scope : (row._id as Scope))));
    scopes.delete('');
    return new Map(Array.from(scopes as Set<CategoryId>, (scope) => [scope, highestIn(scope, rows) - withdrawnIn(scope, rows)]));
  }

  async #read(asked: readonly Scope[]): Promise<readonly Numbering[]> {
    const scopes = Array.from(new Set(asked));
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      const rows = await this.#readRows(scopes);
      const stale = scopes.filter((scope) => this.#knownOf(scope).length !== withdrawnIn(scope, rows));
      if (stale.length === 0) return asked.map((scope) => ({ highest: highestIn(scope, rows), withdrawn: this.#knownOf(scope) }));
      for (const scope of stale) this.#withdrawn.set(scope, await this.#readWithdrawn(scope));
    }
    throw unsettled();
  }

  /** Withdrawals only ever grow in number, so the list of those that are known is good as long as it is as long as their count. */
  #knownOf(scope: Scope): readonly number[] {
    return this.#withdrawn.get(scope) ?? [];
  }

  #readRows(scopes: readonly Scope[]): Promise<readonly Row[]> {
    return reading((signal) =>
      this.#collections.automations.aggregate<Row>(numberingPipeline(scopes), { ...WITHIN, signal }).toArray(),
    );
  }

  /** Some at a time, so that no command takes long however many there are. What is withdrawn meanwhile may be missed; then there are fewer than their count. */
  async #readWithdrawn(scope: Scope): Promise<readonly number[]> {
    const field = fieldOf(scope);
    const sort = { ...(scope && { category_id: 1 as const }), [field]: 1 as const };
    const all: number[] = [];
    let found = 0;
    do {
      const filter = { ...(scope && { category_id: scope }), withdrawn_at: { $exists: true }, [field]: { $gte: (all.at(-1) ?? 0) + 1 } };
      const documents = await reading((signal) =>
        this.#collections.automations
          .find(filter, { ...AT_ONCE, signal, limit: WITHDRAWN_AT_ONCE, sort })
          .project<Record<string, number>>({ _id: 0, [field]: 1 })
          .toArray(),
      );
      for (const document of documents) all.push(document[field] ?? 0);
      found = documents.length;
    } while (found === WITHDRAWN_AT_ONCE);
    return all;
  }
}

function highestIn(scope: Scope, rows: readonly Row[]): number {
  const highest = rows.map((row) => ('scope' in row ? row.scope === scope && row.highest : row._id === scope && row.highest_withdrawn));
  return Math.max(0, ...highest.map(Number));
}

function withdrawnIn(scope: Scope, rows: readonly Row[]): number {
  return rows.reduce((count, row) => ('withdrawn' in row && row._id === scope ? row.withdrawn : count), 0);
}

export function fieldOf(scope: Scope): 'number' | 'category_number' {
  return scope === '' ? 'number' : 'category_number';
}

/** The highest number given in each scope, and the tallies of what was withdrawn: one index key and at most one small document a scope. */
export function numberingPipeline(scopes: readonly Scope[]): Document[] {
  const [first, ...others] = scopes.map(highestPipeline);
  return [
    ...(first ?? []),
    ...others.map((pipeline) => ({ $unionWith: { coll: 'automations', pipeline } })),
    { $unionWith: { coll: 'tallies', pipeline: [{ $match: { _id: { $in: scopes } } }] } },
  ];
}

export const BY_CATEGORY: Document[] = [
  { $sort: { category_id: -1, category_number: -1 } },
  { $group: { _id: '$category_id', highest: { $first: '$category_number' } } },
  { $project: { _id: 0, scope: '$_id', highest: 1 } },
  { $unionWith: { coll: 'tallies' } },
];

function highestPipeline(scope: Scope): Document[] {
  const field = fieldOf(scope);
  return [
    { $match: scope === '' ? {} : { category_id: scope } },
    { $sort: scope === '' ? { number: -1 } : { category_id: -1, category_number: -1 } },
    { $limit: 1 },
    { $project: { _id: 0, scope: { $literal: scope }, highest: `$${field}` } },
  ];
}
