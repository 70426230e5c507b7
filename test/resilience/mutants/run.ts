import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ROOT } from '../../support/readme.js';
import { ACCOUNTS } from './accounts.js';
import { API_KEYS } from './api-keys.js';
import { ARCHIVE } from './archive.js';
import { AUTOMATION_FILES } from './automation-files.js';
import { AUTOMATIONS } from './automations.js';
import { LISTS } from './lists.js';
import { changed, type Mutant } from './mutant.js';
import { OAUTH_RECORDS } from './oauth-records.js';
import { OTHERS } from './others.js';
import { REPORTS } from './reports.js';
import { SEARCH } from './search.js';
import { SUBJECTS } from './subjects.js';

const GROUPS = [
  AUTOMATIONS,
  AUTOMATION_FILES,
  LISTS,
  ARCHIVE,
  SEARCH,
  API_KEYS,
  ACCOUNTS,
  OAUTH_RECORDS,
  REPORTS,
  OTHERS,
];

export const MUTANTS: readonly Mutant[] = GROUPS.flat();

/** What became of a mutant, or of a subject that was not changed. */
export interface Verdict {
  readonly name: string;
  readonly promise: string;
  /** The titles that failed. */
  readonly caughtBy: readonly string[];
  /**
   * Why it proves nothing: it survived, was caught by other promises only, could not be made, or what is unchanged
   * failed.
   */
  readonly fault?: string;
}

interface Ran {
  readonly cases: number;
  readonly failed: readonly string[];
}

const AT_ONCE = 2;
const SUITE = fileURLToPath(new URL('suite.js', import.meta.url));

/** In milliseconds: a suite takes seconds, on a busy machine a minute; a mutant that never comes to an end is none. */
const TIMEOUT_MS = 300_000;

/** Each in a process, and over a copy of the build, of its own. */
export function verdictsOn(mutants: readonly Mutant[]): Promise<readonly Verdict[]> {
  return forEach(mutants, judge);
}

export function verdictsOnUnchanged(): Promise<readonly Verdict[]> {
  return forEach(Object.keys(SUBJECTS), judgeUnchanged);
}

async function forEach<Subject>(
  subjects: readonly Subject[],
  judgeOne: (subject: Subject) => Promise<Verdict>,
): Promise<readonly Verdict[]> {
  const verdicts: Verdict[] = [];
  const queue = subjects.entries();
  const work = async (): Promise<void> => {
    for (const [index, subject] of queue) verdicts[index] = await judgeOne(subject);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return verdicts;
}

async function judgeUnchanged(subject: string): Promise<Verdict> {
  const verdict = { name: `${subject}, unchanged`, promise: '', caughtBy: [] };
  const { cases, failed } = await withCopy((folder) => runSuite(folder, subject));
  if (cases < 10) return { ...verdict, fault: `has ${cases} cases` };
  return failed.length > 0 ? { ...verdict, fault: `fails: ${failed.join('; ')}` } : verdict;
}

async function judge(mutant: Mutant): Promise<Verdict> {
  const { name, promise, subject } = mutant;
  const verdict = { name: `${subject}: ${name}`, promise };
  try {
    const { failed } = await withCopy((folder) => runMutated(folder, mutant));
    if (failed.length === 0) return { ...verdict, caughtBy: [], fault: 'survived' };
    const isMeant = failed.some((title) => title.includes(`› ${promise}`));
    return { ...verdict, caughtBy: failed, ...(!isMeant && { fault: 'was caught by other promises only' }) };
  } catch (error) {
    return { ...verdict, caughtBy: [], fault: error instanceof Error ? error.message : String(error) };
  }
}

function runMutated(folder: string, mutant: Mutant): Promise<Ran> {
  const file = join(folder, mutant.file);
  writeFileSync(file, changed(readFileSync(file, 'utf8'), mutant));
  return runSuite(folder, mutant.subject);
}

async function withCopy<Answer>(use: (folder: string) => Promise<Answer>): Promise<Answer> {
  const root = fileURLToPath(ROOT);
  const folder = mkdtempSync(join(tmpdir(), 'mutant-'));
  try {
    for (const part of ['adapters/in-memory', 'adapters/sql', 'adapters/storage', 'domain', 'test/contracts'])
      cpSync(join(root, 'dist', part), join(folder, part), {
        recursive: true,
        filter: (path) => !/\.(map|d\.ts)$/.test(path),
      });
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function runSuite(folder: string, subject: string): Promise<Ran> {
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [SUITE, folder, subject], { timeout: TIMEOUT_MS }, (error, stdout, stderr) => {
      if (error === null) resolve(JSON.parse(stdout) as Ran);
      else reject(new Error(`came to no end: ${stderr.slice(0, 500) || error.message}`));
    });
  });
}
