import { setTimeout } from 'node:timers/promises';
import { codeOf, type Preparer } from './connection.js';
import { MAX_UNINDEXED, WORD_RULE } from './searches.js';
import type { Writes } from './writes.js';

/** Automations whose words are stored in one transaction. Searches compare fewer by themselves. */
const LOT_SIZE = 128;
/** The size of such a transaction (`addSizeOf`): that of an ordinary lot, or of 6 of the longest texts, some 150 ms. */
const MAX_LOT_SIZE = 256;

/** What the index needs of its database. */
interface IndexedDatabase extends Preparer {
  readOne<Answer>(work: () => Answer): Promise<Answer>;
  write<Name extends keyof Writes>(name: Name, ...args: Parameters<Writes[Name]>): Promise<ReturnType<Writes[Name]>>;
}

/** Keeps the index of words of a store, in the background. */
export class WordIndex {
  #begun: Promise<void> | undefined;
  #isRunning = false;
  #changes = 0;

  constructor(
    private readonly database: IndexedDatabase,
    private readonly onError: (error: unknown) => void = () => undefined,
  ) {}

  /** Resolves when there is an index, which may not be complete, and completes it in the background. */
  begin(): Promise<void> {
    this.#begun ??= this.resume().catch((error: unknown) => {
      this.#begun = undefined;
      throw error;
    });
    return this.#begun;
  }

  /** Begins, unless there is an index of another rule: a process that does not search leaves it to those that do. */
  async prepare(): Promise<void> {
    if ([undefined, WORD_RULE].includes(await this.#recordedRule())) await this.begin();
  }

  /** Goes on in the background, with a new index when the record of it is gone or names another rule. */
  async resume(): Promise<void> {
    if ((await this.#recordedRule()) !== WORD_RULE) await this.database.write('keepWords', { renew: false });
    this.advance();
  }

  /** Takes note of changes of automations. */
  changed(count: number): void {
    this.#changes += count;
    if (this.#changes >= LOT_SIZE && this.#begun !== undefined) this.advance();
  }

  /**
   * Stores the words of what the index has not got, in the background. After damage it begins a new index, but once: it
   * stops when that one is damaged too, until the next call.
   */
  advance(): void {
    if (this.#isRunning) return;
    this.#isRunning = true;
    this.#changes = 0;
    void this.#advance()
      .catch(async (error: unknown) => {
        if (await this.renewAfter(error)) await this.#advance();
      })
      .catch(this.onError)
      .finally(() => (this.#isRunning = false));
  }

  /** Removes the index of a store that is to have none. */
  async end(): Promise<void> {
    if ((await this.#recordedRule()) !== undefined) await this.database.write('dropWords');
  }

  /** Begins a new index when an error says that it is damaged or not there. Returns whether it did. */
  async renewAfter(error: unknown): Promise<boolean> {
    if (!isDamage(error)) return false;
    await this.renew();
    return true;
  }

  /** Begins a new index, and completes it in the background. */
  async renew(): Promise<void> {
    await this.database.write('keepWords', { renew: true });
    this.advance();
  }

  /** Stores the words of these numbers again. */
  async reindex(numbers: readonly number[]): Promise<void> {
    await this.database.write('reindexWords', numbers);
    this.advance();
  }

  async #recordedRule(): Promise<string | undefined> {
    const sql = `SELECT value FROM settings WHERE name = 'words'`;
    const row = await this.database.readOne(() => this.database.prepare(sql).raw().get() as [string] | undefined);
    return row?.[0];
  }

  /**
   * Rests after each lot, so that writes come in between, also those of other processes; for as long as it took while
   * searches have to wait anyway.
   */
  async #advance(): Promise<void> {
    for (let left = LOT_SIZE; left >= LOT_SIZE; ) {
      const start = performance.now();
      left = await this.database.write('indexWords', LOT_SIZE, MAX_LOT_SIZE);
      const took = performance.now() - start;
      if (left >= LOT_SIZE)
        await setTimeout(left > MAX_UNINDEXED ? took : took / 4, undefined, { ref: false });
    }
  }
}

/**
 * Returns whether an error says that the index of words is damaged or not there. The code is that of FTS5. It is
 * another one when a page of the file cannot be read: a new index would not help then.
 */
export function isDamage(error: unknown): boolean {
  if (codeOf(error) === 'SQLITE_CORRUPT_VTAB') return true;
  const message = error instanceof Error ? error.message : '';
  return /fts5|vtable constructor failed|no such table: (main\.)?(words|unindexed)/.test(message);
}
