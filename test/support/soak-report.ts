/** What a measured run came to: the figures, and what went against the rule it is about. */
export interface Report {
  readonly figures: Readonly<Record<string, number>>;
  readonly violations: readonly string[];
  /** What took longer, or more, than it should; only at full size does that say anything. */
  readonly excesses?: readonly string[];
}

const MAX_KEPT = 20;

/** Gathers a report, so that one run of ten thousand tells of all that went wrong and not of the first only. */
export class Findings implements Report {
  readonly figures: Record<string, number> = {};
  readonly violations: string[] = [];
  readonly excesses: string[] = [];

  count(name: string, by = 1): void {
    this.figures[name] = (this.figures[name] ?? 0) + by;
  }

  set(name: string, value: number): void {
    this.figures[name] = Math.round(value * 1000) / 1000;
  }

  /** Counts under the name, and as a violation when it does not hold. */
  check(holds: boolean, violation: string): void {
    if (holds) return;
    this.count('violations');
    if (this.violations.length < MAX_KEPT) this.violations.push(violation);
  }

  atMost(name: string, value: number, most: number): void {
    this.set(name, value);
    if (!(value <= most)) this.excesses.push(`${name} is more than ${most}`);
  }

  atLeast(name: string, value: number, least: number): void {
    this.set(name, value);
    if (!(value >= least)) this.excesses.push(`${name} is less than ${least}`);
  }
}
