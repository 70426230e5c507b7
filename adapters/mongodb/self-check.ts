import type { Db } from 'mongodb';
import { setTimeout } from 'node:timers/promises';
import type { Difference } from '../../domain/ports.js';
import { aggregate, MAX_CHAPTER, type AutomationList } from './automation-list.js';
import { ChapterWriter } from './chapter-writer.js';
import { chapterOf } from './chapters.js';
import { READ_ALL } from './commands.js';
import { AUTOMATIONS, collectionsOf, type Collections } from './collections.js';
import { withRetries } from './snapshot.js';
import type { Sequence } from './sequence.js';

/** Gets what the background check found and corrected. */
export type OnDifference = (difference: Difference) => void;

/** A distance between two numbers that no writer leaves. It is not filled with placeholders. */
export const MAX_DISTANCE = 100_000;

/** The background pass rests this many times as long as it has worked. */
const REST = 4;
const COUNTING = { maxTimeMS: 120_000 };

/** Compares the derived state with the automations, while the store is in use. */
export class SelfCheck {
  readonly #collections: Collections;
  readonly #writer: ChapterWriter;
  #isPassing = false;
  #isStopped = false;
  #isWanted = true;

  /** Checks nothing yet. */
  constructor(
    db: Db,
    private readonly list: AutomationList,
    private readonly sequence: Sequence,
    private readonly onDifference: OnDifference,
  ) {
    this.#collections = collectionsOf(db);
    this.#writer = new ChapterWriter(db);
  }

  /** Whether the background pass should begin: at the start, and when it was asked for. */
  get isDue(): boolean {
    return this.#isWanted && !this.#isPassing && !this.#isStopped;
  }

  /** Lets the next pass begin at once. */
  want(): void {
    this.#isWanted = true;
  }

  /** Ends the background pass at the next chapter. */
  stop(): void {
    this.#isStopped = true;
  }

  /** Counts everything again, and returns what differed. */
  async all(repair: boolean): Promise<readonly Difference[]> {
    const counter = await this.#checkCounter(repair);
    const chapters: Difference[] = [];
    await this.#chapters(repair ? 'repair' : 'report', (difference) => void chapters.push(difference));
    return [...counter, ...(await this.#distances()), ...chapters];
  }

  /**
   * The background pass: compares one count per category first, and then checks chapter after chapter, with rests
   * unless the counts differ.
   */
  async pass(): Promise<void> {
    this.#isPassing = true;
    this.#isWanted = false;
    try {
      const rest = (await this.#differs()) ? 0 : REST;
      await this.#chapters('check', this.onDifference, rest);
    } finally {
      this.#isPassing = false;
    }
  }

  async #chapters(purpose: 'report' | 'check' | 'repair', onDifference: OnDifference, rest = 0): Promise<void> {
    const done = new Set<number>();
    for (let numbers = await this.#chapterNumbers(); numbers.length > 0; ) {
      for (const number of numbers) {
        if (this.#isStopped) return;
        const began = performance.now();
        (await this.#writer.writeUntilDone(number, purpose)).forEach(onDifference);
        done.add(number);
        if (rest > 0) await setTimeout((performance.now() - began) * rest, undefined, { ref: false });
      }
      // A repair has sealed what it could, so that there may be one more chapter.
      numbers = (await this.#chapterNumbers()).filter((number) => !done.has(number));
    }
  }

  /** Returns the numbers of the stored chapters, and of those up to the tail, which a repair creates. */
  async #chapterNumbers(): Promise<readonly number[]> {
    const known = { _id: { $gte: 0, $lt: MAX_CHAPTER } };
    const stored = await this.#collections.chapters.find(known, { ...READ_ALL, projection: { _id: 1 } }).toArray();
    const tailStart = await this.list.readTailStart();
    const below = Array.from({ length: chapterOf(tailStart) + 1 }, (_, number) => number);
    return [...new Set([...below, ...stored.map(({ _id }) => _id).filter(Number.isInteger)])];
  }

  /** Returns whether the numbers of automations on sale per category are others than the lists say. */
  #differs(): Promise<boolean> {
    return withRetries(async () => {
      const { snapshot, totals } = await this.list.read((state) => ({
        snapshot: state.snapshot.within(COUNTING),
        totals: state.totals(),
      }));
      const counts = await snapshot.read<{ category: never; count: number }>(
        aggregate(AUTOMATIONS, [
          { $match: { on_sale: true } },
          { $group: { _id: '$category_id', count: { $sum: 1 } } },
          { $project: { category: { $convert: { input: '$_id', to: 'string', onError: '', onNull: '' } }, count: 1 } },
        ]),
      );
      return counts.length !== totals.size || counts.some(({ category, count }) => totals.get(category) !== count);
    });
  }

  async #checkCounter(repair: boolean): Promise<readonly Difference[]> {
    const least = await this.sequence.readLeast();
    const next = await this.sequence.read();
    if (next >= least && next <= least + MAX_DISTANCE) return [];
    if (repair) await this.sequence.repair();
    return [{ description: `the counter of numbers is ${next}, and ${least} is the next free one`, repaired: repair }];
  }

  /** Sealing would fill such a distance with placeholders. */
  async #distances(): Promise<readonly Difference[]> {
    const tailStart = await this.list.readTailStart();
    const [next] = await this.#collections.automations
      .find({ seq: { $gte: tailStart } }, { ...READ_ALL, projection: { seq: 1 }, sort: { seq: 1 }, limit: 1 })
      .toArray();
    if (next === undefined || next.seq <= tailStart + MAX_DISTANCE) return [];
    const description = `there is no automation with a number from ${tailStart} to ${next.seq - 1}`;
    return [{ description, repaired: false }];
  }
}
