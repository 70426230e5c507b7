import { expect } from 'chai';
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describeMongo } from '../support/mongodb.js';

const BENCH = fileURLToPath(new URL('../../bench/', import.meta.url));

/** That of routes waits for the limits of large bodies, a minute each. */
const TIMEOUT_MS = 900_000;

/** The last line of each says where it was measured. */
const MACHINE = /^.*\b\d+ cores?, .*Node v\d/m;

/**
 * Each program in small: its figures mean nothing and a target may be missed, but a program that measures nothing is
 * seen. `http` and `mongodb` are not here: they need wrk, and minutes.
 */
describe('The benchmarks', () =>
  allMeasure({
    files: [],
    markdown: ['100'],
    million: ['1000'],
    pages: ['memory', 'SQLite', '1000'],
    refusals: ['1', '20'],
    routes: ['20'],
    start: ['100', '200'],
    tokens: ['20'],
  }));

describeMongo('The benchmarks that need MongoDB and PostgreSQL', () =>
  allMeasure({
    refreshes: ['2'],
    searches: ['20000'],
    pages: ['PostgreSQL', 'MongoDB', '1000'],
    writers: ['1', '1'],
  }),
);

function allMeasure(programs: Readonly<Record<string, readonly string[]>>): void {
  for (const [name, words] of Object.entries(programs))
    it(`${name} measures`, () => measures(name, words)).timeout(TIMEOUT_MS);
}

async function measures(name: string, words: readonly string[]): Promise<void> {
  const { stdout, stderr } = await run([`${BENCH}${name}.js`, ...words]);
  expect(stderr, stderr).not.to.match(/^\s+at /m);
  expect(stdout)
    .to.match(MACHINE)
    .and.not.match(/\b(?:NaN|Infinity|undefined)\b/);
}

/** Ends with 1 when a target is missed, which is no failure here. */
function run(words: readonly string[]): Promise<{ readonly stdout: string; readonly stderr: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, words, (_missed, stdout, stderr) => resolve({ stdout, stderr }));
  });
}
