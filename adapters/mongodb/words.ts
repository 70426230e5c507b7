import type { Db, Document, IndexDescription } from 'mongodb';
import { setTimeout as wait } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Automation } from '../../domain/automation.js';
import type { Difference } from '../../domain/ports.js';
import type { SearchTerms } from '../../domain/search-terms.js';
import { indexedText, WORD_RULE } from '../../domain/words.js';
import type { AutomationDocument, Words } from './automation-documents.js';
import { collectionsOf, type Collections } from './collections.js';
import { afterOthers, findAll, WRITE, writing } from './commands.js';

export const BY_WORD = 'words';
export const BY_RULE = 'word_rule';

/** The index that finds automations by words, and one that finds those without the words of this rule. */
export const WORD_INDEXES: readonly (IndexDescription & { readonly name: string })[] = [
  { name: BY_RULE, key: { 'words.rule': 1 } },
  { name: BY_WORD, key: { 'words.all': 1, on_sale: 1, seq: -1 } },
];

/** Finds automations without words, or with those of an older rule. An older process leaves those of a newer rule. */
export const WITHOUT_WORDS = { 'words.rule': { $not: { $gte: WORD_RULE } } };

/** Returns the words of an automation by the rule of this process. */
export function wordsIn(texts: Pick<Automation, 'title' | 'description'>): Words {
  const { name, title, description, runs } = indexedText(texts);
  const ofTitle = [name, ...title];
  return { rule: WORD_RULE, all: Array.from(new Set([...ofTitle, ...description])), title: ofTitle, runs };
}

/** Returns the conditions for what matches. Of the signs in words, only `+` has another meaning in a pattern. */
export function matchConditions({ terms, runs }: SearchTerms): readonly Document[] {
  const begins = (text: string) => ({ $regex: `^${text.replaceAll('+', String.raw`\+`)}` });
  return [
    ...terms.map(({ text, isBeginning }) => ({ 'words.all': isBeginning ? begins(text) : text })),
    ...runs.map((run) => ({ 'words.runs': { $regex: run } })),
  ];
}

/** To find the words of this number of automations takes some 10 ms, in which a process does nothing else. */
const LOT_SIZE = 200;
const LATER_MS = 5_000;

type Worded = Pick<AutomationDocument, '_id' | 'seq' | 'title' | 'description' | 'updated_at' | 'words'>;
const WORDED = { seq: 1, title: 1, description: 1, updated_at: 1, words: 1 } as const;

/**
 * Writes the words of automations that lack them, in the background: after a change of the rule, and where searching
 * was off for a while. Any number of processes may do it at once.
 */
export class WordIndex {
  readonly #collections: Collections;
  #work: Promise<void> | undefined;
  readonly #stopping = new AbortController();

  constructor(
    private readonly db: Db,
    private readonly onError: (error: unknown) => void,
  ) {
    this.#collections = collectionsOf(db);
  }

  /** Begins to write what is missing. */
  wake(): void {
    if (this.#stopping.signal.aborted) return;
    this.#work ??= this.#writeAll().finally(() => (this.#work = undefined));
  }

  /** Begins nothing from now on, and resolves when the work that goes on has ended. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#work;
  }

  /** Writes the words of some automations that lack them. Returns whether there are none left. */
  async writeSome(): Promise<boolean> {
    const options = { projection: WORDED, limit: LOT_SIZE, hint: BY_RULE };
    const some: readonly Worded[] = await findAll(this.#collections.automations, WITHOUT_WORDS, options);
    await this.#write(some);
    return some.length < LOT_SIZE;
  }

  /** Compares the words of every automation with its texts, and returns what differed. */
  async check(repair: boolean): Promise<readonly Difference[]> {
    let count = 0;
    for (let from = 0; !this.#stopping.signal.aborted;) {
      const options = { projection: WORDED, sort: { seq: 1 }, limit: LOT_SIZE } as const;
      await afterOthers();
      const some: readonly Worded[] = await findAll(this.#collections.automations, { seq: { $gte: from } }, options);
      const wrong = some.filter(({ words, ...texts }) => isOurs(words) && !isDeepStrictEqual(words, wordsIn(texts)));
      count += wrong.length;
      if (repair) await this.#write(wrong);
      const last = some.at(-1);
      if (last === undefined) break;
      from = last.seq + 1;
    }
    const description = `the words of ${count} automations are missing or wrong`;
    return count > 0 ? [{ description, repaired: repair }] : [];
  }

  /** Rests as long as it works. Reports a failure, and tries again later. */
  async #writeAll(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      const began = performance.now();
      const isDone = await this.writeSome().catch(this.onError);
      if (isDone === true) return;
      const restMs = isDone === false ? performance.now() - began : LATER_MS;
      await wait(restMs, undefined, { ref: false, signal: this.#stopping.signal }).catch(() => undefined);
    }
  }

  /** An automation that was revised meanwhile has its words from the revision. */
  async #write(some: readonly Worded[]): Promise<void> {
    if (some.length === 0) return;
    const changes = some.map((each) => ({
      updateOne: {
        filter: { _id: each._id, updated_at: each.updated_at },
        update: { $set: { words: wordsIn(each) } },
      },
    }));
    await writing(this.db, () => this.#collections.automations.bulkWrite(changes, { ...WRITE, ordered: false }));
  }
}

/** Returns whether words are not those of a newer rule, which this process cannot judge. */
function isOurs(words: Words | undefined): boolean {
  return !(Number(words?.rule) > WORD_RULE);
}
