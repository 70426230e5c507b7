import type { Db } from 'mongodb';
import { setTimeout as wait } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Difference } from '../../domain/ports.js';
import { BUILDING, READ, READ_ALL, reading, WRITE, writing } from './commands.js';
import { AUTOMATIONS, collectionsOf, type Collections } from './collections.js';
import type { AutomationDocument } from './documents.js';
import type { MongoStorageSettings } from './settings.js';
import { BY_RULE, BY_WORD, WITHOUT_WORDS, WORD_INDEXES, WORD_RULE, wordsIn } from './words.js';

/** To find the words of so many takes some 10 ms, in which a process does nothing else. */
const LOT_SIZE = 200;
/** The background check rests this many times as long as it has worked. */
const REST = 4;
const LATER_MS = 5_000;
const RECORD = { _id: 'words' };

type Worded = Pick<AutomationDocument, '_id' | 'seq' | 'title' | 'description' | 'updated_at' | 'words'>;
const WORDED = { seq: 1, title: 1, description: 1, updated_at: 1, words: 1 } as const;

/**
 * Keeps the words of automations complete, in the background: those of an older version, and those by another rule.
 * Each document says by which rule it has its words, so any number of processes may do it at once, be killed at any
 * time, and write automations without words meanwhile. Processes with different rules would undo each other's work: the
 * one that was prepared last works.
 */
export class WordIndex {
  readonly #collections: Collections;
  #work: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isChecked = false;
  readonly #stopping = new AbortController();

  /** Works when it is woken. */
  constructor(
    private readonly db: Db,
    private readonly settings: Pick<MongoStorageSettings, 'onDifference' | 'onError'> = {},
  ) {
    this.#collections = collectionsOf(db);
  }

  /** Writes what is missing, soon. Checks every word, slowly, at the first time. */
  wake(delayMs = 0): void {
    if (this.#stopping.signal.aborted || this.#work !== undefined || this.#timer !== undefined) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#work = this.#workOnce();
    }, delayMs).unref();
  }

  /** Begins nothing from now on, and resolves when the work that goes on has ended. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    clearTimeout(this.#timer);
    await this.#work;
  }

  /** Records the rule of this process as the one by which words are kept. Creates the indexes of an empty store. */
  async prepare(): Promise<void> {
    const { automations, settings } = this.#collections;
    const change = { $set: { value: WORD_RULE } };
    await writing(this.db, () => settings.updateOne(RECORD, change, { ...WRITE, upsert: true }));
    const some = await reading((signal) => automations.findOne({}, { ...READ, projection: { _id: 1 }, signal }));
    if (some === null) await this.#createIndexes(BY_RULE, BY_WORD);
  }

  /** Writes the words of some automations that lack them. Returns whether there are none left. */
  async writeSome(): Promise<boolean> {
    const { automations } = this.#collections;
    const options = { ...READ_ALL, projection: WORDED, limit: LOT_SIZE };
    const some = await reading((signal) => automations.find<Worded>(WITHOUT_WORDS, { ...options, signal }).toArray());
    if (!(await this.#isPreparedLast())) return false;
    await this.#write(some);
    return some.length < LOT_SIZE;
  }

  /**
   * Compares the words of every automation with its texts, and returns what differed. Ends early when a process with
   * another rule was prepared meanwhile.
   */
  async check(repair: boolean, rest = 0): Promise<readonly Difference[]> {
    const missing = await this.#missingIndexes();
    if (repair) await this.#createIndexes(...missing);
    let count = 0;
    for (let from = 0; ; ) {
      const began = performance.now();
      const some = await this.#readFrom(from);
      if (!(await this.#isPreparedLast())) break;
      const wrong = some.filter(({ words, ...texts }) => !isDeepStrictEqual(words, wordsIn(texts)));
      count += wrong.length;
      if (repair) await this.#write(wrong);
      const last = some.at(-1);
      if (last === undefined || this.#stopping.signal.aborted) break;
      from = last.seq + 1;
      if (rest > 0) await this.#rest(rest * (performance.now() - began));
    }
    const indexes = missing.map((name) => ({ description: `the index "${name}" is missing`, repaired: repair }));
    const description = `the words of ${count} automations are missing or wrong`;
    return [...indexes, ...(count > 0 ? [{ description, repaired: repair }] : [])];
  }

  /** Returns whether words are kept by the rule of this process. To be asked after the words were read. */
  async #isPreparedLast(): Promise<boolean> {
    const { settings } = this.#collections;
    const recorded = await reading((signal) => settings.findOne(RECORD, { ...READ, signal }));
    return recorded === null || recorded.value === WORD_RULE;
  }

  /** Reports a failure, and tries again later. */
  async #workOnce(): Promise<void> {
    const hasFailed = await this.#buildAndCheck().then(
      () => false,
      (error: unknown) => {
        this.settings.onError?.(error);
        return true;
      },
    );
    this.#work = undefined;
    if (hasFailed) this.wake(LATER_MS);
  }

  async #buildAndCheck(): Promise<void> {
    await this.#build();
    if (this.#isChecked || this.#stopping.signal.aborted) return;
    for (const difference of await this.check(true, REST)) this.settings.onDifference?.(difference);
    this.#isChecked = true;
  }

  /** The index of words comes last: to build it is quicker than to change it for each automation. */
  async #build(): Promise<void> {
    await this.#createIndexes(BY_RULE);
    while (!this.#stopping.signal.aborted) {
      const began = performance.now();
      if (await this.writeSome()) break;
      await this.#rest(performance.now() - began);
    }
    if (!this.#stopping.signal.aborted) await this.#createIndexes(BY_WORD);
  }

  async #rest(milliseconds: number): Promise<void> {
    await wait(milliseconds, undefined, { ref: false, signal: this.#stopping.signal }).catch(() => undefined);
  }

  async #createIndexes(...names: readonly string[]): Promise<void> {
    const indexes = WORD_INDEXES.filter(({ name }) => names.includes(name));
    if (indexes.length > 0) await this.db.command({ createIndexes: AUTOMATIONS, indexes, ...BUILDING });
  }

  async #missingIndexes(): Promise<readonly string[]> {
    const present = await reading(() => this.#collections.automations.listIndexes(READ).toArray());
    return [BY_RULE, BY_WORD].filter((wanted) => !present.some(({ name }) => name === wanted));
  }

  #readFrom(from: number): Promise<readonly Worded[]> {
    const filter = { seq: { $gte: from }, created_at: { $exists: true } };
    const options = { ...READ_ALL, projection: WORDED, sort: { seq: 1 }, limit: LOT_SIZE } as const;
    return reading((signal) => this.#collections.automations.find<Worded>(filter, { ...options, signal }).toArray());
  }

  /** An automation that was revised meanwhile has its words from the revision; a later rule may have written some. */
  async #write(some: readonly Worded[]): Promise<void> {
    if (some.length === 0) return;
    const changes = some.map(({ _id, updated_at, words, ...texts }) => ({
      updateOne: {
        filter: { _id, updated_at, 'words.rule': words?.rule ?? null },
        update: { $set: { words: wordsIn(texts) } },
      },
    }));
    const write = () => this.#collections.automations.bulkWrite(changes, { ...WRITE, ordered: false });
    await writing(this.db, write);
  }
}
