import Mocha from 'mocha';

/** A suite that is left out says so in its title: "SQLite and MongoDB agree (NOT RUN: MongoDB; set MONGODB_URL)". */
const REASON = / \(NOT RUN: (.+)\)$/;

/** Returns the title of a suite that is left out, with what it needs. */
export const notRun = (title: string, needed: string): string => `${title} (NOT RUN: ${needed})`;

/** Prints dots, and at the end in words what was not run, and what to set for it. */
export default class extends Mocha.reporters.Dot {
  constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
    super(runner, options);
    const pending: (readonly string[])[] = [];
    runner.on('pending', (test) => pending.push(test.titlePath()));
    runner.on('end', () => summaryOf(pending).forEach((line) => console.log(line)));
  }
}

/** Returns a line for each thing that is missing, and for each suite in a suite that is left out, with numbers. */
export function summaryOf(pending: readonly (readonly string[])[]): readonly string[] {
  const suites = new Map<string, number>();
  const tests = new Map<string, number>();
  for (const path of pending) {
    const [, needed] = REASON.exec(path.join(' ')) ?? [];
    if (needed === undefined) count(tests, path.slice(0, 2).join(', '));
    else count(suites, needed);
  }
  return [...linesOf(suites, 'suite'), ...linesOf(tests, 'test')];
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

function linesOf(counts: ReadonlyMap<string, number>, noun: string): readonly string[] {
  return Array.from(counts, ([name, number]) => `NOT RUN: ${name} (${number} ${number === 1 ? noun : `${noun}s`})`);
}
