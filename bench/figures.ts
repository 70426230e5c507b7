import { cpus, loadavg } from 'node:os';

/** The value that as many are below as above. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  const middle = sorted.length / 2;
  const [low, high] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]];
  if (low === undefined || high === undefined) throw new Error('there is no median of nothing');
  return (low + high) / 2;
}

/** Returns the bounds of the middle half. */
export function quartiles(values: readonly number[]): readonly [low: number, high: number] {
  const sorted = [...values].sort((one, other) => one - other);
  const quarter = Math.floor(sorted.length / 4);
  return [sorted[quarter] ?? NaN, sorted.at(-1 - quarter) ?? NaN];
}

/** A Markdown table; so many columns of it are text, the others are numbers and stand to the right. */
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

/** On what the figures were taken, and how busy it was with other things. */
export function machine(): string {
  const [load = 0] = loadavg();
  const cores = cpus();
  return `${cores.length} cores, ${cores[0]?.model ?? 'unknown CPU'}, Node ${process.version}, load average ${load.toFixed(1)} at the end`;
}

/** The arguments of the program as positive integers; the usual ones where there are none. */
export function numbersGiven(usual: readonly number[]): readonly number[] {
  const given = process.argv.slice(2).map(Number);
  const wrong = given.find((number) => !Number.isSafeInteger(number) || number < 1);
  if (wrong !== undefined) throw new Error('the arguments must be positive integers');
  return given.length > 0 ? given : usual;
}
