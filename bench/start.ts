/** How long the service takes to start, and how fast it imports: `node dist/bench/start.js [ITEMS [LINES]]`. */
import { writeFileSync } from 'node:fs';
import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { draftJson, inBatches, newAutomations, newCategories } from './catalogue.js';
import { grouped, machine, median, numbersGiven, table } from './figures.js';
import { run, startService, type Run } from './start/program.js';
import { temporaryFolder } from './temporary.js';

const RUNS = 7;
const MAX_START_MS = 500;
const MIN_LINES_PER_SECOND = 10_000;
const CATEGORIES = newCategories(50);

const [items = 100_000, lines = 200_000] = numbersGiven([100_000]);
const folder = temporaryFolder();
const categories = join(folder, 'categories.json');
writeFileSync(categories, JSON.stringify(CATEGORIES));

const full = join(folder, 'full');
await importInto(full, items);
const key = await newKey(full);
const empties: Run[] = [];
const fulls: Run[] = [];
for (let done = 0; done < RUNS; done += 1) {
  const empty = join(folder, `empty-${done}`);
  empties.push(await startService(empty, await newKey(empty)));
  fulls.push(await startService(full, key));
}
const head = ['start to the first 200 with', 'least, ms', 'median', 'most', 'CPU'];
console.log(table(head, [row('an empty store', empties), row(`${grouped(items)} automations`, fulls)], 1));

const { output, seconds, cpuSeconds, peak } = await importInto(join(folder, 'imported'), lines);
const speed = lines / seconds;
console.log(`\nimport: ${output}`);
const perCpuSecond = grouped(lines / cpuSeconds);
console.log(`with start and end of the program: ${grouped(speed)} lines/s, ${perCpuSecond} per second of CPU time`);
console.log(`at most ${grouped(peak)} MiB of memory`);
console.log(machine());
const slowest = Math.max(median(empties.map(milliseconds)), median(fulls.map(milliseconds)));
process.exitCode = slowest > MAX_START_MS || speed < MIN_LINES_PER_SECOND ? 1 : 0;

async function newKey(dataDir: string): Promise<string> {
  const { output } = await run(['keys', 'issue', '--developer', 'bench'], dataDir);
  return /amk_\w+/.exec(output)?.[0] ?? '';
}

/** The CPU time is that of the whole life of the process, which ends as soon as it has answered. */
function row(store: string, runs: readonly Run[]): string[] {
  const times = runs.map(milliseconds);
  const cpu = median(runs.map(({ cpuSeconds }) => cpuSeconds * 1000));
  return [store, ...[Math.min(...times), median(times), Math.max(...times), cpu].map((time) => time.toFixed(0))];
}

function milliseconds({ seconds }: Run): number {
  return seconds * 1000;
}

async function importInto(dataDir: string, count: number) {
  const file = join(folder, 'automations.jsonl');
  writeFileSync(file, '');
  for (const batch of inBatches(newAutomations(count, CATEGORIES), 10_000))
    await appendFile(file, batch.map((automation) => `${draftJson(automation)}\n`).join(''));
  await run(['categories', 'import', categories], dataDir);
  return run(['automations', 'import', file, '--developer', 'bench'], dataDir);
}
