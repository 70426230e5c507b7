import Mocha from 'mocha';

/** A suite that is left out says so in its title: "SQLite and MongoDB agree (NOT RUN: MongoDB; set MONGODB_URL)". */
const REASON = / \(NOT RUN: (.+)\)$/;

/** Returns the title of a suite that is left out, with what it needs. */
export const notRun = (title: string, needed: string): string => `${title} (NOT RUN: ${needed})`;

/** Prints dots, and at the end in words what was not run, and what to set for it. */
export default class extends Mocha.reporters.Dot {
  constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
    super(runner, options);
    const pending: string[] = [];
    runner.on('pending', (test) => pending.push(test.fullTitle()));
    runner.on('end', () => summaryOf(pending).forEach((line) => console.log(line)));
  }
}

/** Returns a line for each thing that is missing, with the number of suites, and one for each other test left out. */
export function summaryOf(pending: readonly string[]): readonly string[] {
  const counts = new Map<string, number>();
  const others: string[] = [];
  for (const title of pending) {
    const [, needed] = REASON.exec(title) ?? [];
    if (needed === undefined) others.push(`NOT RUN: ${title}`);
    else counts.set(needed, (counts.get(needed) ?? 0) + 1);
  }
  const lines = [...counts].map(
    ([needed, count]) => `NOT RUN: ${needed} (${count} ${count === 1 ? 'suite' : 'suites'})`,
  );
  return [...lines, ...others];
}
