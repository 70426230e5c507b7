import { ObjectId, type Db } from 'mongodb';
import { setTimeout as wait } from 'node:timers/promises';
import { BLOCK_SIZE } from '../storage/block-counts.js';
import type { AutomationList, ListState } from './automation-list.js';
import { ChapterWriter } from './chapter-writer.js';
import { chapterOf, CHAPTER_SIZE } from './chapters.js';
import { READ, READ_ALL, WRITE } from './commands.js';
import { collectionsOf, type Collections } from './collections.js';
import { type AutomationDocument } from './documents.js';
import { duplicatesIn } from './failures.js';
import { MAX_DISTANCE, SelfCheck } from './self-check.js';
import type { MongoStorageSettings } from './settings.js';
import type { Sequence } from './sequence.js';

/** A writer whose numbers stay free for this time is taken for dead. Any value is correct. */
const PATIENCE_MS = 2_000;
const SOON_MS = 20;
const LATER_MS = 500;

/**
 * Keeps the chapters of a store up to date, in the background: seals blocks, folds marks, and checks the counts. Each
 * process does it when it has written, and when a list shows that there is work. It needs no lock: of two processes
 * that write a chapter at once, one wins. Its timers do not keep a process alive.
 */
export class Upkeep {
  readonly selfCheck: SelfCheck;
  readonly #collections: Collections;
  readonly #writer: ChapterWriter;
  #timer: NodeJS.Timeout | undefined;
  /** The work that goes on; undefined while there is none. */
  #work: Promise<void> | undefined;
  #pass: Promise<void> | undefined;
  #isWanted = false;
  readonly #onError: (error: unknown) => void;
  #isStopped = false;
  /** The counter, and the value that it had some time before. */
  #counter = { value: 0, noted: 0, notedAt: 0, before: 0 };

  /** Works when it is woken. */
  constructor(
    db: Db,
    private readonly list: AutomationList,
    private readonly sequence: Sequence,
    { onDifference = () => undefined, onError = () => undefined }: MongoStorageSettings = {},
  ) {
    this.selfCheck = new SelfCheck(db, list, sequence, onDifference);
    this.#onError = onError;
    this.#collections = collectionsOf(db);
    this.#writer = new ChapterWriter(db);
  }

  /** Works soon. */
  wake(delayMs = SOON_MS): void {
    this.#isWanted = true;
    if (this.#isStopped || this.#work !== undefined || this.#timer !== undefined) return;
    this.#timer = setTimeout(() => {
      this.#work = this.#workOnce();
    }, delayMs).unref();
  }

  /** Works if a number was used that is not in the first block of the tail. */
  noteUsed(number: number): void {
    if (number >= this.list.tailStart + BLOCK_SIZE) this.wake();
  }

  /** Works if the state shows that there is something to do. */
  noteState({ tailSize, marked }: ListState): void {
    if (marked.length > 0 || tailSize >= BLOCK_SIZE || this.selfCheck.isDue) this.wake(LATER_MS * Math.random());
  }

  /** Checks all counts soon, as they say more than there is. */
  noteShortPage(): void {
    this.selfCheck.want();
    this.wake();
  }

  /** Begins nothing from now on, and resolves when the work that goes on has ended. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    this.selfCheck.stop();
    await this.#work;
    await this.#pass;
  }

  /**
   * Reports a failure: the next write or list tries again, and a background check that failed begins again after a
   * short page. `check` of the storage counts the same and rejects when it fails.
   */
  async #workOnce(): Promise<void> {
    this.#timer = undefined;
    this.#isWanted = false;
    const isUnfinished = await this.#sealAndFold().catch((error: unknown) => {
      this.#onError(error);
      return false;
    });
    this.#work = undefined;
    this.#wakeAgain(isUnfinished);
  }

  #wakeAgain(isUnfinished: boolean): void {
    if (this.#isWanted) this.wake(SOON_MS);
    else if (isUnfinished) this.wake(LATER_MS);
  }

  /** Returns whether there will be more to do without a new write. */
  async #sealAndFold(): Promise<boolean> {
    const isUnfinished = await this.seal();
    await this.fold();
    if (this.selfCheck.isDue) this.#pass = this.selfCheck.pass().catch(this.#onError);
    return isUnfinished;
  }

  /** Seals the blocks that are full or long due, from the lowest. Returns whether some are not due yet. */
  async seal(): Promise<boolean> {
    await this.#readCounter();
    while (!this.#isStopped) {
      const tailStart = await this.list.readTailStart();
      const { outcome } = await this.#writer.write(chapterOf(tailStart), 'seal');
      if (outcome === 'lost') await wait(Math.random() * SOON_MS);
      if (outcome === 'idle' && !(await this.#putPlaceholders(tailStart)))
        return tailStart + BLOCK_SIZE <= this.#counter.value;
    }
    return false;
  }

  /** Counts the marks in their chapters, and removes them; those in the tail count nowhere, and are only removed. */
  async fold(): Promise<void> {
    const numbers = await this.list.read(({ marked }) => new Set(marked.map(({ seq }) => chapterOf(seq))));
    for (const number of numbers) await this.#writer.write(number, 'fold');
  }

  async #readCounter(): Promise<void> {
    const now = performance.now();
    const value = await this.sequence.read();
    const { noted, notedAt } = this.#counter;
    if (now < notedAt + PATIENCE_MS) this.#counter.value = value;
    else this.#counter = { value, noted: value, notedAt: now, before: noted };
  }

  /** Numbers below it were given to writers long ago. */
  get #due(): number {
    return Math.min(this.#counter.before, this.#counter.value);
  }

  /**
   * Fills the free numbers of blocks that are due, in one chapter. The unique index decides between a placeholder and a
   * late insert, so nothing can be inserted into a full block. Returns whether some were filled.
   */
  async #putPlaceholders(start: number): Promise<boolean> {
    const { automations } = this.#collections;
    const end = await this.#endOfDue(start);
    if (end <= start) return false;
    const options = { ...READ_ALL, projection: { _id: 0, seq: 1 } };
    const taken = await automations.find({ seq: { $gte: start, $lt: end } }, options).toArray();
    const numbers = new Set(taken.map(({ seq }) => seq));
    const free = Array.from({ length: end - start }, (_, index) => start + index).filter((seq) => !numbers.has(seq));
    if (free.length === 0) return false;
    const placeholders = free.map((seq) => ({ _id: new ObjectId(), seq }) as object as AutomationDocument);
    await automations.insertMany(placeholders, { ...WRITE, ordered: false }).catch(duplicatesIn);
    return true;
  }

  /** Returns the end of the blocks from `start` that are due, begin below the highest number and are in one chapter. */
  async #endOfDue(start: number): Promise<number> {
    const [next, highest] = await Promise.all([1, -1].map((order) => this.#first(start, order as 1 | -1)));
    if (next === undefined || highest === undefined || next > start + MAX_DISTANCE) return start;
    const chapterEnd = (chapterOf(start) + 1) * CHAPTER_SIZE;
    return Math.min(blockStart(this.#due), blockStart(highest) + BLOCK_SIZE, chapterEnd);
  }

  async #first(start: number, order: 1 | -1): Promise<number | undefined> {
    const options = { ...READ, projection: { _id: 0, seq: 1 }, sort: { seq: order } } as const;
    return (await this.#collections.automations.findOne({ seq: { $gte: start } }, options))?.seq;
  }
}

function blockStart(number: number): number {
  return number - (number % BLOCK_SIZE);
}
