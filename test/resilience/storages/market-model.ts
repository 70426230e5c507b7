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

type ListCall = Extract<Call, { kind: 'list' }>;

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
  /** When a withdrawal began first, and when one ended first. */
  readonly withdrawn: { began: number; ended: number };
}

type Line = { readonly id: string; readonly began?: number } & Partial<Call> & Partial<CallEnd>;

/**
 * A model of a market that several processes change at once. Each call takes effect at one moment between its beginning
 * and its end. A list is of one moment, too, so there is a least and a most that it may show.
 */
export class MarketModel {
  readonly #lives = new Map<string, Life>();
  readonly #lists: { readonly call: ListCall; readonly span: Span; readonly end: CallEnd }[] = [];
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
    this.#lives.set(automation, {
      seq,
      added: span,
      categories: [{ ...span, category }],
      withdrawn: { began: Infinity, ended: Infinity },
    });
  }

  #change({ kind, automation, category, entry }: Extract<Call, { entry: string }>, span: Span): void {
    if (span.ended < Infinity) this.entries.push(entry);
    const life = this.#lives.get(automation);
    if (life === undefined) return;
    if (kind === 'revise') life.categories.push({ ...span, category });
    else {
      life.withdrawn.began = Math.min(life.withdrawn.began, span.began);
      life.withdrawn.ended = Math.min(life.withdrawn.ended, span.ended);
    }
  }

  /** Returns what is wrong with a list; undefined when it may have been so. */
  #wrongIn({ category, number, limit }: ListCall, span: Span, { items, total }: CallEnd): string | undefined {
    const offset = (number - 1) * limit;
    const shown = items.flatMap((id) => this.#lives.get(id) ?? []);
    const seqs = new Set(shown.map(({ seq }) => seq));
    const [first = NaN, last = NaN] = [shown[0]?.seq, shown.at(-1)?.seq];
    const [least, most] = [
      { all: 0, newer: 0 },
      { all: 0, newer: 0 },
    ];
    let isOneMissing = false;
    for (const life of this.#lives.values()) {
      if (!isPossible(life, span, category)) continue;
      const isNewer = Number(life.seq > first);
      most.all += 1;
      most.newer += isNewer;
      if (!isCertain(life, span, category)) continue;
      least.all += 1;
      least.newer += isNewer;
      isOneMissing ||= life.seq < first && life.seq > last && !seqs.has(life.seq);
    }
    if (total < least.all || total > most.all) return `total ${total}, not ${least.all} to ${most.all}`;
    if (items.length !== Math.max(0, Math.min(limit, total - offset))) return `${items.length} items of ${total}`;
    if (shown.length < items.length || !shown.every((life) => isPossible(life, span, category)))
      return 'an item that cannot be there';
    if (!shown.every(({ seq }, n) => n === 0 || seq < (shown[n - 1]?.seq ?? 0))) return 'items out of order';
    if (isOneMissing) return 'an item is missing';
    if (items.length > 0 && (offset < least.newer || offset > most.newer))
      return `${offset} newer ones, not ${least.newer} to ${most.newer}`;
    return undefined;
  }
}

/** Returns whether it was on sale, in this category, all the time. */
function isCertain(life: Life, { began, ended }: Span, category: string | undefined): boolean {
  if (life.added.ended > began || life.withdrawn.began < ended) return false;
  return category === undefined || categoriesIn(life, { began, ended }).every((one) => one === category);
}

/** Returns whether it may have been on sale, in this category, at some moment. */
function isPossible(life: Life, { began, ended }: Span, category: string | undefined): boolean {
  if (life.added.began > ended || life.withdrawn.ended < began) return false;
  return category === undefined || categoriesIn(life, { began, ended }).includes(category);
}

/** Returns the categories that it may have had: those that no other one had certainly replaced before. */
function categoriesIn({ categories }: Life, { began, ended }: Span): readonly string[] {
  const [first] = categories;
  if (first !== undefined && categories.length === 1) return [first.category];
  const sooner = categories.filter((one) => one.began < ended);
  return sooner
    .filter((one) => !sooner.some((other) => other.began > one.ended && other.ended < began))
    .map(({ category }) => category);
}
