import type { Findings } from '../../support/soak-report.js';

/** A call as a worker prints it before it is sent. */
export type Call =
  | { readonly kind: 'add'; readonly added: readonly Added[] }
  | {
      readonly kind: 'revise' | 'withdraw';
      readonly automation: string;
      readonly category: string;
      readonly entry: string;
    }
  | { readonly kind: 'list'; readonly number: number; readonly limit: number; readonly category?: string };

interface Added {
  readonly automation: string;
  readonly category: string;
  readonly entry: string;
}

/** The end of a call, as a worker prints it. A killed worker prints none. */
export interface CallEnd {
  readonly ended: number;
  readonly isDone: boolean;
  readonly items: readonly string[];
  readonly total: number;
  readonly failed: string;
}

/** A time span; a call that did not end goes on for ever. */
interface Span {
  readonly began: number;
  readonly ended: number;
}

interface Life {
  readonly seq: number;
  readonly added: Span;
  readonly categories: (Span & { readonly category: string })[];
  readonly withdrawals: Span[];
}

type Line = { readonly id: string; readonly began?: number } & Partial<Call> & Partial<CallEnd>;

/**
 * A model of a market that several processes change at once. Each call takes effect at one moment between its beginning
 * and its end. A list is of one moment, too, so there is a least and a most that it may show.
 */
export class MarketModel {
  readonly #lives = new Map<string, Life>();
  readonly #lists: { readonly call: Extract<Call, { kind: 'list' }>; readonly span: Span; readonly end: CallEnd }[] =
    [];
  /** The entries of the audit of all acknowledged actions. */
  readonly entries: string[] = [];
  readonly acknowledged: string[] = [];
  readonly failures: string[] = [];
  longestSeconds = 0;

  /** Reads what the workers have printed. `sequence` has the numbers of the automations that are stored. */
  constructor(
    lines: readonly Line[],
    private readonly sequence: ReadonlyMap<string, number>,
  ) {
    const ends = new Map<string, Line>();
    for (const line of lines) if (line.began === undefined) ends.set(line.id, line);
    const calls = lines.filter(({ began }) => began !== undefined);
    for (const order of ['add', 'revise', 'withdraw', 'list'] as const)
      for (const call of calls) if (call.kind === order) this.#read(call as Line & Call, ends.get(call.id));
  }

  get lists(): number {
    return this.#lists.length;
  }

  /** Compares every list with the model. */
  check(findings: Findings): void {
    for (const { call, span, end } of this.#lists) {
      const wrong = this.#wrongIn(call, span, end);
      findings.check(wrong === undefined, `${JSON.stringify(call)}: ${wrong ?? ''}`);
    }
  }

  #read(call: Line & Call, end: Line | undefined): void {
    const span = { began: call.began ?? 0, ended: end?.ended ?? Infinity };
    if (end?.failed !== undefined) this.failures.push(`${call.kind}: ${end.failed}`);
    if (end?.ended !== undefined) this.longestSeconds = Math.max(this.longestSeconds, span.ended - span.began);
    if (call.kind === 'list') {
      if (end?.ended !== undefined) this.#lists.push({ call, span, end: end as CallEnd });
    } else if (call.kind === 'add') for (const one of call.added) this.#add(one, span);
    else if (end === undefined || end.isDone === true || end.failed !== undefined) this.#change(call, span);
  }

  #add({ automation, category, entry }: Added, span: Span): void {
    if (span.ended < Infinity) {
      this.entries.push(entry);
      this.acknowledged.push(automation);
    }
    const seq = this.sequence.get(automation);
    if (seq === undefined) return;
    this.#lives.set(automation, { seq, added: span, categories: [{ ...span, category }], withdrawals: [] });
  }

  #change({ kind, automation, category, entry }: Extract<Call, { entry: string }>, span: Span): void {
    if (span.ended < Infinity) this.entries.push(entry);
    const life = this.#lives.get(automation);
    if (kind === 'withdraw') life?.withdrawals.push(span);
    else life?.categories.push({ ...span, category });
  }

  /** Returns what is wrong with a list; undefined when it may have been so. */
  #wrongIn(call: Extract<Call, { kind: 'list' }>, span: Span, { items, total }: CallEnd): string | undefined {
    const [least, most] = [this.#seqs(call.category, span, isCertain), this.#seqs(call.category, span, isPossible)];
    const seqs = items.map((id) => this.#lives.get(id)?.seq ?? NaN);
    const offset = (call.number - 1) * call.limit;
    if (total < least.length || total > most.length) return `total ${total}, not ${least.length} to ${most.length}`;
    if (items.length !== Math.max(0, Math.min(call.limit, total - offset))) return `${items.length} items of ${total}`;
    const possible = new Set(most);
    if (!seqs.every((seq) => possible.has(seq))) return 'an item that cannot be there';
    if (!seqs.every((seq, n) => n === 0 || seq < (seqs[n - 1] ?? 0))) return 'items out of order';
    const [first, last] = [seqs[0], seqs.at(-1)];
    if (first === undefined || last === undefined) return undefined;
    const shown = new Set(seqs);
    if (least.some((seq) => seq < first && seq > last && !shown.has(seq))) return 'an item is missing';
    const newer = (all: readonly number[]) => all.filter((seq) => seq > first).length;
    if (offset < newer(least) || offset > newer(most))
      return `${offset} newer ones, not ${newer(least)} to ${newer(most)}`;
    return undefined;
  }

  #seqs(category: string | undefined, span: Span, isThere: IsThere): readonly number[] {
    return Array.from(this.#lives.values())
      .filter((life) => isThere(life, span, category))
      .map(({ seq }) => seq);
  }
}

type IsThere = (life: Life, span: Span, category: string | undefined) => boolean;

/** Returns whether it was on sale, in this category, all the time. */
function isCertain(life: Life, { began, ended }: Span, category: string | undefined): boolean {
  if (life.added.ended > began || life.withdrawals.some((one) => one.began < ended)) return false;
  return category === undefined || categoriesIn(life, { began, ended }).every((one) => one === category);
}

/** Returns whether it may have been on sale, in this category, at some moment. */
function isPossible(life: Life, { began, ended }: Span, category: string | undefined): boolean {
  if (life.added.began > ended || life.withdrawals.some((one) => one.ended < began)) return false;
  return category === undefined || categoriesIn(life, { began, ended }).includes(category);
}

/** Returns the categories that it may have had: those that no other one had certainly replaced before. */
function categoriesIn({ categories }: Life, { began, ended }: Span): readonly string[] {
  const sooner = categories.filter((one) => one.began < ended);
  return sooner
    .filter((one) => !sooner.some((other) => other.began > one.ended && other.ended < began))
    .map(({ category }) => category);
}
