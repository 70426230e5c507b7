import type { ClientSession, Db, Document, UpdateFilter } from 'mongodb';
import { randomUUID } from 'node:crypto';
import type { CategoryId } from '../../domain/category.js';
import { BLOCK_SIZE } from '../storage/block-counts.js';
import { collectionsOf, type Collections } from './collections.js';
import { WRITE } from './commands.js';
import { isUnfitField } from './failures.js';
import { transaction } from './transactions.js';

/** A delta with this number of blocks and categories, or of transactions, is full. */
const MAX_PATHS = 256;
const MAX_USES = 1_000;

/** An automation that is on sale from now on, or not any more, in a category. */
export interface Change {
  readonly seq: number;
  readonly category: CategoryId;
  readonly difference: 1 | -1;
}

/** What a transaction has changed: its outcome, and how the counts change with it. */
export interface Changed<Outcome> {
  readonly outcome: Outcome;
  /** Undefined when nothing was changed; empty for a change that counts nothing. */
  readonly changes?: readonly Change[] | undefined;
}

/** Changes of automations and of their counts. A process has deltas of its own, so no two writers wait for one. */
export class CountDeltas {
  readonly #collections: Collections;
  readonly #free: Delta[] = [];

  constructor(
    private readonly db: Db,
    /** Is called when a delta is full, and is not used again. */
    private readonly onFull: () => void,
  ) {
    this.#collections = collectionsOf(db);
  }

  /**
   * Does the work and changes the counts in one transaction. It takes a delta before its first command, and no other
   * transaction has this delta meanwhile. A delta of a try that has failed is not used again.
   */
  async change<Outcome>(
    work: (session: ClientSession) => Promise<Changed<Outcome>>,
    again: (error: unknown) => boolean = () => false,
  ): Promise<Outcome> {
    const attempt = async (session: ClientSession) => {
      const delta = this.#free.pop() ?? new Delta();
      const { outcome, changes } = await work(session);
      if (changes !== undefined) await delta.write(this.#collections, changes, session);
      return { outcome, delta };
    };
    const { outcome, delta } = await transaction(this.db, attempt, (error) => again(error) || isUnfitField(error));
    if (delta.isFull) this.onFull();
    else this.#free.push(delta);
    return outcome;
  }
}

/** A document of changes that one transaction at a time writes. */
class Delta {
  readonly #id = randomUUID();
  readonly #paths = new Set<string>();
  #uses = 0;

  get isFull(): boolean {
    return this.#paths.size >= MAX_PATHS || this.#uses >= MAX_USES;
  }

  /** Adds changes. Also without any: a new `v` tells that something else has changed. */
  async write({ countDeltas }: Collections, changes: readonly Change[], session: ClientSession): Promise<void> {
    const $inc: Record<string, number> = {};
    for (const { seq, category, difference } of changes) {
      const path = `changes.${Math.floor(seq / BLOCK_SIZE)}.${category}`;
      $inc[path] = ($inc[path] ?? 0) + difference;
      this.#paths.add(path);
    }
    this.#uses += 1;
    const change: UpdateFilter<Document> = {
      $set: { v: randomUUID(), at: new Date() },
      ...(changes.length > 0 && { $inc }),
    };
    await countDeltas.updateOne({ _id: this.#id }, change, { ...WRITE, upsert: true, session });
  }
}
