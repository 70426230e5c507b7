import { cpus, loadavg } from 'node:os';

/** Returns the value in the middle. @throws Error for an empty list. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  const middle = sorted.length / 2;
  const [low, high] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]];
  if (low === undefined || high === undefined) throw new Error('an empty list has no median');
  return (low + high) / 2;
}

/** Returns the median of the ratios of each round, which the machine disturbs less than the figures. */
export function medianRatio(own: readonly number[], base: readonly number[]): number {
  return median(own.map((figure, round) => figure / (base[round] ?? NaN)));
}

/** Returns a ratio for a table, marked with `!` unless it is at its gate or above. */
export function atGate(ratio: number, gate: number): string {
  return `${ratio.toFixed(2)}${ratio >= gate ? '  ' : ' !'}`;
}

/** Returns the bounds of the middle half. */
export function quartiles(values: readonly number[]): readonly [low: number, high: number] {
  const sorted = [...values].sort((one, other) => one - other);
  const quarter = Math.floor(sorted.length / 4);
  return [sorted[quarter] ?? NaN, sorted.at(-1 - quarter) ?? NaN];
}

/** Returns a Markdown table. The first `textColumns` columns are text; the others are aligned to the right. */
export function table(head: readonly string[], rows: readonly (readonly string[])[], textColumns: number): string {
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const pad = (cell: string, column: number) =>
    column < textColumns ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0);
  const line = (cells: readonly string[]) => `| ${cells.map(pad).join(' | ')} |`;
  const rule = widths.map((width, column) => (column < textColumns ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`));
  return [line(head), line(rule), ...rows.map(line)].join('\n');
}

export function grouped(number: number): string {
  return Math.round(number).toLocaleString('en-US');
}

/** Returns which machine took the figures, and how busy it was with other work. */
export function machine(): string {
  const [load = 0] = loadavg();
  const cores = cpus();
  const hardware = `${cores.length} cores, ${cores[0]?.model ?? 'unknown CPU'}`;
  return `${hardware}, Node ${process.version}, load average ${load.toFixed(1)} at the end`;
}

/** Returns the arguments of the program as positive integers; `usual` without arguments. */
export function numbersGiven(usual: readonly number[]): readonly number[] {
  const given = process.argv.slice(2).map(Number);
  const wrong = given.find((number) => !Number.isSafeInteger(number) || number < 1);
  if (wrong !== undefined) throw new Error('the arguments must be positive integers');
  return given.length > 0 ? given : usual;
}
