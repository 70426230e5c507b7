import type { CategoryId } from '../../domain/category.js';
import type { Numbering } from '../../domain/numbering.js';
import type { SqliteDatabase } from './database.js';

type Tally = [highest: number, withdrawn: number];

/** The row of `tallies` that counts all automations. */
const ALL = '';

/**
 * The highest number given and how many were withdrawn, overall and per category. Every method belongs into a
 * transaction.
 */
export class Tallies {
  readonly #statements;
  readonly #withdrawn = new Map<string, readonly number[]>();

  constructor(database: SqliteDatabase) {
    this.#statements = prepare(database);
  }

  /**
   * Withdrawals only ever grow in number, so the list of those that are known is good as long as it is as long as their
   * count.
   */
  numberingOf(category: CategoryId | undefined): Numbering {
    const [highest, count] = this.#tally(category ?? ALL);
    let withdrawn = this.#withdrawn.get(category ?? ALL) ?? [];
    if (withdrawn.length !== count) {
      withdrawn = this.#readWithdrawn(category);
      this.#withdrawn.set(category ?? ALL, withdrawn);
    }
    return { highest, withdrawn };
  }

  onSaleByCategory(): ReadonlyMap<CategoryId, number> {
    return new Map(this.#statements.counts.all(ALL) as [CategoryId, number][]);
  }

  countWithdrawal(category: CategoryId): void {
    this.#statements.countWithdrawal.run(ALL, category);
  }

  /** Hands out the next numbers of one transaction; `save` writes down how far it went. */
  counting() {
    const highest = new Map<string, number>();
    const next = (name: string): number => (highest.get(name) ?? this.#tally(name)[0]) + 1;
    return {
      numbers: (category: CategoryId) => [next(ALL), next(category)] as const,
      take: (category: CategoryId) => {
        for (const name of [ALL, category]) highest.set(name, next(name));
      },
      save: () => {
        for (const [name, number] of highest) this.#statements.save.run(name, number);
      },
    };
  }

  #tally(name: string): Tally {
    return (this.#statements.tally.get(name) ?? [0, 0]) as Tally;
  }

  #readWithdrawn(category: CategoryId | undefined): readonly number[] {
    const { withdrawn, withdrawnIn } = this.#statements;
    const [json] = (category === undefined ? withdrawn.get() : withdrawnIn.get(category)) as [string];
    return JSON.parse(json) as number[];
  }
}

function prepare(database: SqliteDatabase) {
  return {
    tally: database.prepare('SELECT highest, withdrawn FROM tallies WHERE category_id = ?').raw(),
    counts: database.prepare('SELECT category_id, highest - withdrawn FROM tallies WHERE category_id <> ?').raw(),
    countWithdrawal: database.prepare('UPDATE tallies SET withdrawn = withdrawn + 1 WHERE category_id IN (?, ?)'),
    save: database.prepare('INSERT INTO tallies VALUES (?, ?, 0) ON CONFLICT DO UPDATE SET highest = excluded.highest'),
    withdrawn: database
      .prepare('SELECT json_group_array(-number ORDER BY number DESC) FROM automations WHERE number < 0')
      .raw(),
    withdrawnIn: database
      .prepare(
        `SELECT json_group_array(-category_number ORDER BY category_number DESC) FROM automations
         WHERE category_id = ? AND category_number < 0`,
      )
      .raw(),
  };
}
