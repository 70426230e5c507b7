import type { Findings } from '../../support/soak-report.js';
import type { Added, Call, CallEnd, Life, Span } from './market-calls.js';
import { wrongLists, type ListDone } from './market-lists.js';

type Line = { readonly id: string; readonly began?: number } & Partial<Call> & Partial<CallEnd>;

/**
 * A model of a market that several processes change at once. Each call takes effect at one moment between its beginning
 * and its end. A list is of one moment, too, so there is a least and a most that it may show.
 */
export class MarketModel {
  readonly #lives = new Map<string, Life>();
  readonly #lists: ListDone[] = [];
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
    for (const category of new Set(this.#lists.map(({ call }) => call.category))) {
      const lists = this.#lists.filter(({ call }) => call.category === category);
      for (const [{ call }, reason] of wrongLists(lists, this.#lives, category))
        findings.check(false, `${JSON.stringify(call)}: ${reason}`);
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
}
