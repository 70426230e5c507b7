/**
 * Runs the contract suite of one subject over the build in a folder, and prints how many cases it has and the titles of
 * those that failed.
 */
import { SUBJECTS, type Build } from './subjects.js';

const [folder = '', subject = ''] = process.argv.slice(2);
const load = (file: string): Promise<never> => import(new URL(file, `file://${folder}/`).href) as Promise<never>;
const build: Build = {
  contracts: () => load('test/contracts/index.js'),
  memory: () => load('adapters/in-memory/index.js'),
  sqlite: () => load('adapters/sql/sqlite/index.js'),
};

const path: string[] = [];
const cases: { readonly title: string; readonly run: () => Promise<void> }[] = [];
await SUBJECTS[subject]?.(build, {
  describe: (title, suite) => {
    path.push(title);
    suite();
    path.pop();
  },
  it: (title, run) => cases.push({ title: [...path, title].join(' › '), run }),
});

const failed: string[] = [];
for (const { title, run } of cases) await run().catch(() => failed.push(title));
console.log(JSON.stringify({ cases: cases.length, failed }));
