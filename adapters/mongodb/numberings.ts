import type { Db, Document } from 'mongodb';
import { BatchQueue } from '../../domain/batch-queue.js';
import type { CategoryId } from '../../domain/category.js';
import type { Numbering } from '../../domain/numbering.js';
import { collectionsOf, type Collections, type TallyDocument } from './documents.js';
import { unsettled } from './failures.js';
import { MOST_TRIES, reading, WITHIN } from './operations.js';
import { fieldOf, type Scope } from './scope.js';
import { WithdrawnNumbers } from './withdrawn-numbers.js';

/** The highest number given in a scope, or the tally of a scope. */
type Row = { scope: Scope; highest: number } | TallyDocument;

/** Scopes asked for in one command at most. */
const MOST_TOGETHER = 64;

/**
 * Reads how far the numbers of a scope go: one command for all who ask at the same time, an index key for each scope.
 */
export class Numberings {
  readonly #collections: Collections;
  readonly #withdrawn: WithdrawnNumbers;
  readonly #reads = new BatchQueue<Scope, Numbering>((scopes) => this.#read(scopes), MOST_TOGETHER);

  constructor(db: Db) {
    this.#collections = collectionsOf(db);
    this.#withdrawn = new WithdrawnNumbers(this.#collections);
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
    return new Map(
      Array.from(scopes as Set<CategoryId>, (scope) => [scope, highestIn(scope, rows) - withdrawnIn(scope, rows)]),
    );
  }

  async #read(asked: readonly Scope[]): Promise<readonly Numbering[]> {
    const scopes = Array.from(new Set(asked));
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      const rows = await this.#readRows(scopes);
      const stale = scopes.filter((scope) => this.#withdrawn.of(scope).length !== withdrawnIn(scope, rows));
      if (stale.length === 0)
        return asked.map((scope) => ({ highest: highestIn(scope, rows), withdrawn: this.#withdrawn.of(scope) }));
      for (const scope of stale) await this.#withdrawn.update(scope);
    }
    throw unsettled();
  }

  #readRows(scopes: readonly Scope[]): Promise<readonly Row[]> {
    return reading((signal) =>
      this.#collections.automations.aggregate<Row>(numberingPipeline(scopes), { ...WITHIN, signal }).toArray(),
    );
  }
}

function highestIn(scope: Scope, rows: readonly Row[]): number {
  const highest = rows.map((row) =>
    'scope' in row ? row.scope === scope && row.highest : row._id === scope && row.highest_withdrawn,
  );
  return Math.max(0, ...highest.map(Number));
}

function withdrawnIn(scope: Scope, rows: readonly Row[]): number {
  return rows.reduce((count, row) => ('withdrawn' in row && row._id === scope ? row.withdrawn : count), 0);
}

/**
 * The highest number given in each scope, and the tallies of what was withdrawn: one index key and at most one small
 * document a scope.
 */
function numberingPipeline(scopes: readonly Scope[]): Document[] {
  const [first, ...others] = scopes.map(highestPipeline);
  return [
    ...(first ?? []),
    ...others.map((pipeline) => ({ $unionWith: { coll: 'automations', pipeline } })),
    { $unionWith: { coll: 'tallies', pipeline: [{ $match: { _id: { $in: scopes } } }, WITHOUT_LATEST] } },
  ];
}

const WITHOUT_LATEST: Document = { $project: { latest: 0 } };

const BY_CATEGORY: Document[] = [
  { $sort: { category_id: -1, category_number: -1 } },
  { $group: { _id: '$category_id', highest: { $first: '$category_number' } } },
  { $project: { _id: 0, scope: '$_id', highest: 1 } },
  { $unionWith: { coll: 'tallies', pipeline: [WITHOUT_LATEST] } },
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
