import type { Collections } from './documents.js';
import { AT_ONCE, reading, WITHIN } from './operations.js';
import { fieldOf, type Scope } from './scope.js';

const MOST_AT_ONCE = 2_000;

/**
 * The numbers that were withdrawn, by scope and ascending, as far as they are known here. They only ever grow in
 * number, so those that are known are all of them as long as they are as many as the tally says.
 */
export class WithdrawnNumbers {
  readonly #known = new Map<Scope, readonly number[]>();

  constructor(private readonly collections: Collections) {}

  of(scope: Scope): readonly number[] {
    return this.#known.get(scope) ?? [];
  }

  /** The tally has the latest, so that one withdrawal does not have all that were before read again. */
  async update(scope: Scope): Promise<void> {
    this.#known.set(scope, (await this.#withLatest(scope)) ?? (await this.#readAll(scope)));
  }

  async #withLatest(scope: Scope): Promise<readonly number[] | undefined> {
    const tally = await reading((signal) => this.collections.tallies.findOne({ _id: scope }, { ...WITHIN, signal }));
    const known = this.of(scope);
    const latest = new Set(tally?.latest);
    for (const number of known) latest.delete(number);
    return known.length + latest.size === tally?.withdrawn
      ? [...known, ...latest].sort((one, other) => one - other)
      : undefined;
  }

  /**
   * Some at a time, so that no command takes long however many there are. What is withdrawn meanwhile may be missed;
   * then there are fewer than their count.
   */
  async #readAll(scope: Scope): Promise<readonly number[]> {
    const field = fieldOf(scope);
    const sort = { ...(scope && { category_id: 1 as const }), [field]: 1 as const };
    const all: number[] = [];
    let found = 0;
    do {
      const filter = {
        ...(scope && { category_id: scope }),
        withdrawn_at: { $exists: true },
        [field]: { $gte: (all.at(-1) ?? 0) + 1 },
      };
      const documents = await reading((signal) =>
        this.collections.automations
          .find(filter, { ...AT_ONCE, signal, limit: MOST_AT_ONCE, sort })
          .project<Record<string, number>>({ _id: 0, [field]: 1 })
          .toArray(),
      );
      for (const document of documents) all.push(document[field] ?? 0);
      found = documents.length;
    } while (found === MOST_AT_ONCE);
    return all;
  }
}
