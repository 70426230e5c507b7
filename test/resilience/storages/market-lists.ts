import type { CallEnd, Life, ListCall, Span } from './market-calls.js';

export interface ListDone {
  readonly call: ListCall;
  readonly span: Span;
  readonly end: CallEnd;
}

/**
 * What an automation does at a moment: it may be in the lists of a category from then on, it is on sale for certain, or
 * it may be in another category.
 */
interface Change {
  readonly at: number;
  readonly seq: number;
  readonly kind: 'may' | 'sure' | 'elsewhere';
  readonly by: 1 | -1;
}

/**
 * Compares lists of one category, or of all, with the lives of the automations. Goes once through time, so it costs
 * n log n. Returns the lists that cannot have been so, with the reason.
 */
export function wrongLists(
  lists: readonly ListDone[],
  lives: ReadonlyMap<string, Life>,
  category: string | undefined,
): readonly (readonly [ListDone, string])[] {
  const all = [...lives.values()];
  const changes = all.flatMap((life) => changesOf(life, category)).sort((a, b) => a.at - b.at || b.by - a.by);
  const shelf = new Shelf(1 + all.reduce((most, { seq }) => Math.max(most, seq), 0));
  const inOrder = lists.toSorted((a, b) => a.span.began - b.span.began);
  let next = 0;
  return inOrder.flatMap((list) => {
    const { began, ended } = list.span;
    for (; isBefore(changes[next], began); next += 1) shelf.apply(changes[next] as Change);
    shelf.overlap(changes, next, ended);
    const wrong = wrongIn(
      list,
      shelf,
      list.end.items.map((id) => lives.get(id)?.seq),
    );
    return wrong === undefined ? [] : [[list, wrong] as const];
  });
}

function isBefore(change: Change | undefined, moment: number): boolean {
  return change !== undefined && (change.at < moment || (change.at === moment && change.by === 1));
}

/** Returns what is wrong with a list, which shows these numbers; undefined when it may have been so. */
function wrongIn({ call, end }: ListDone, shelf: Shelf, shown: readonly (number | undefined)[]): string | undefined {
  const { total, items } = end;
  const offset = (call.number - 1) * call.limit;
  const seqs = shown.filter((seq) => seq !== undefined);
  const [first = -1, last = -1] = [seqs[0], seqs.at(-1)];
  const [least, most] = [shelf.certain(-1), shelf.possible(-1)];
  const [leastNewer, mostNewer] = [shelf.certain(first), shelf.possible(first)];
  const mustShow = shelf.certain(last) - shelf.certain(first - 1);
  if (total < least || total > most) return `total ${total}, not ${least} to ${most}`;
  if (items.length !== Math.max(0, Math.min(call.limit, total - offset))) return `${items.length} items of ${total}`;
  if (seqs.length < items.length || !seqs.every((seq) => shelf.isPossible(seq))) return 'an item that cannot be there';
  if (!seqs.every((seq, n) => n === 0 || seq < (seqs[n - 1] ?? 0))) return 'items out of order';
  if (seqs.slice(1, -1).filter((seq) => shelf.isCertain(seq)).length < mustShow) return 'an item is missing';
  if (items.length > 0 && (offset < leastNewer || offset > mostNewer))
    return `${offset} newer ones, not ${leastNewer} to ${mostNewer}`;
  return undefined;
}

/** Returns when an automation comes into lists of the category, and leaves them. */
function changesOf(life: Life, category: string | undefined): readonly Change[] {
  const { seq, added, withdrawn } = life;
  const between = (kind: Change['kind'], began: number, ended: number): readonly Change[] =>
    began > ended
      ? []
      : [
          { at: began, seq, kind, by: 1 },
          { at: ended, seq, kind, by: -1 },
        ];
  const stays = life.categories.flatMap((one) => {
    const kind = category === undefined || one.category === category ? 'may' : 'elsewhere';
    const until = Math.min(replacedAt(one, life.categories), withdrawn.ended);
    return between(kind, Math.max(one.began, added.began), until);
  });
  return [...between('sure', added.ended, withdrawn.began), ...stays];
}

/** Returns when another category had certainly replaced this one. */
function replacedAt(one: Span, categories: readonly Span[]): number {
  return categories.reduce(
    (soonest, { began, ended }) => (began > one.ended ? Math.min(soonest, ended) : soonest),
    Infinity,
  );
}

/** The automations that may be, and must be, in lists that begin now and end when `overlap` said. */
class Shelf {
  readonly #depth: Readonly<Record<Change['kind'], Int32Array>>;
  readonly #may: Counter;
  readonly #must: Counter;
  #coming: ReadonlySet<number> = new Set();
  #going: ReadonlySet<number> = new Set();

  constructor(size: number) {
    this.#depth = { may: new Int32Array(size), sure: new Int32Array(size), elsewhere: new Int32Array(size) };
    this.#may = new Counter(size);
    this.#must = new Counter(size);
  }

  apply({ seq, kind, by }: Change): void {
    const [may, must] = [this.#isThere(seq), this.#isSure(seq)].map(Number) as [number, number];
    this.#depth[kind][seq] = (this.#depth[kind][seq] ?? 0) + by;
    this.#may.add(seq, Number(this.#isThere(seq)) - may);
    this.#must.add(seq, Number(this.#isSure(seq)) - must);
  }

  /** Notes what changes until a list ends: that may already be in it, or not yet. */
  overlap(changes: readonly Change[], from: number, ended: number): void {
    const [coming, going] = [new Set<number>(), new Set<number>()];
    for (let n = from; n < changes.length; n += 1) {
      const { at, seq, kind, by } = changes[n] as Change;
      if (at > ended) break;
      if (kind === 'may' && by === 1 && !this.#isThere(seq)) coming.add(seq);
      if ((kind === 'elsewhere' ? by === 1 : by === -1) && this.#isSure(seq)) going.add(seq);
    }
    this.#coming = coming;
    this.#going = going;
  }

  isPossible(seq: number): boolean {
    return this.#isThere(seq) || this.#coming.has(seq);
  }

  isCertain(seq: number): boolean {
    return this.#isSure(seq) && !this.#going.has(seq);
  }

  /** Returns how many with a higher number may be in the list. */
  possible(above: number): number {
    return this.#may.above(above) + countAbove(this.#coming, above);
  }

  /** Returns how many with a higher number must be in the list. */
  certain(above: number): number {
    return this.#must.above(above) - countAbove(this.#going, above);
  }

  #isThere(seq: number): boolean {
    return (this.#depth.may[seq] ?? 0) > 0;
  }

  #isSure(seq: number): boolean {
    return (this.#depth.sure[seq] ?? 0) > 0 && (this.#depth.elsewhere[seq] ?? 0) === 0;
  }
}

function countAbove(seqs: ReadonlySet<number>, above: number): number {
  let count = 0;
  for (const seq of seqs) if (seq > above) count += 1;
  return count;
}

/** Counts by number, as a Fenwick tree: adding and counting cost log n. */
class Counter {
  readonly #sums: Int32Array;
  #all = 0;

  constructor(size: number) {
    this.#sums = new Int32Array(size + 1);
  }

  add(seq: number, by: number): void {
    this.#all += by;
    if (by !== 0) for (let n = seq + 1; n < this.#sums.length; n += n & -n) this.#sums[n] = (this.#sums[n] ?? 0) + by;
  }

  /** Returns the sum of all numbers above this one. */
  above(seq: number): number {
    let rest = this.#all;
    for (let n = seq + 1; n > 0; n -= n & -n) rest -= this.#sums[n] ?? 0;
    return rest;
  }
}
