/**
 * Downloads of a file a second, of our service and of a bare Koa that streams it from the disk:
 * `node dist/bench/downloads.js [BYTES] [ROUNDS]`.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { machine, median, numbersGiven, quartiles, table } from './figures.js';
import { startBare, startProgram, type Subject } from './http/subjects.js';
import { load, requireWrk, writeScript, type Outcome } from './http/wrk.js';
import { temporaryFolder } from './temporary.js';

/** Of files that half of all real workflows do not exceed. */
const USUAL_BYTES = 12_000;
const MIN_PER_SECOND = 200;
const SECONDS = 2;
const STORAGES = { 'ours in memory': 'memory', 'ours on SQLite': 'sqlite' };
const KOA = 'bare Koa';

const [bytes = USUAL_BYTES, rounds = 7] = numbersGiven([USUAL_BYTES]);
const text = workflowOf(bytes);

requireWrk();
const path = join(temporaryFolder(), 'a.json');
writeFileSync(path, text);
const environment = { CATALOGUE: 'public', RATE_LIMIT_PAGES: 'off' };
const subjects = [
  await startBare(KOA, 'files', 0, { FILE: path }),
  ...(await Promise.all(
    Object.entries(STORAGES).map(([name, STORAGE]) => startProgram(name, { ...environment, STORAGE })),
  )),
];
const scripts = await Promise.all(subjects.map(scriptOf));
const outcomes: Outcome[][] = subjects.map(() => []);
for (const subject of subjects) subject.pin();
for (let round = 0; round <= rounds; round += 1)
  for (const [index, subject] of subjects.entries()) {
    const outcome = await load(subject, scripts[index] ?? '', SECONDS);
    if (round > 0) outcomes[index]?.push(outcome);
    subject.emptyLog();
  }
for (const subject of subjects) subject.stop();

const of = (index: number, figure: keyof Outcome) => (outcomes[index] ?? []).map((outcome) => outcome[figure]);
const rows = subjects.map(({ name }, index) => {
  const ratios = of(index, 'perSecond').map((figure, round) => figure / (of(0, 'perSecond')[round] ?? NaN));
  const figures = (['perSecond', 'p99Ms', 'cpuUs'] as const).map((figure) => median(of(index, figure)).toFixed(0));
  const spread = quartiles(ratios).map((ratio) => ratio.toFixed(2));
  return [name, ...figures, median(ratios).toFixed(2), spread.join(' to ')];
});
const head = ['', 'downloads/s', 'p99, ms', 'CPU for one, us', 'to bare Koa', 'middle half of the rounds'];
console.log(table(head, rows, 1));
console.log(`\n${text.length} bytes, 64 connections, ${rounds} rounds of ${SECONDS} s; ${machine()}`);
const isMissed = outcomes.some(
  (all, index) => all.some(({ errors }) => errors > 0) || median(of(index, 'perSecond')) < MIN_PER_SECOND,
);
process.exitCode = isMissed ? 1 : 0;

/** Returns a workflow of so many bytes, which a cleaning leaves as it is. */
function workflowOf(length: number): string {
  const nodes = [{ name: 'Start', type: 'n8n-nodes-base.manualTrigger', typeVersion: 1, position: [0, 0] }];
  const empty = JSON.stringify({ nodes, connections: {}, name: '' });
  return empty.replace('""', `"${'a'.repeat(length - empty.length)}"`);
}

/** Publishes the file, and returns the script that downloads it. @throws Error when another content comes back. */
async function scriptOf(subject: Subject): Promise<string> {
  const { url, name } = subject;
  const at = name === KOA ? '/' : `/files/${await published(subject)}`;
  const answer = await fetch(url + at);
  if ((await answer.text()) !== text) throw new Error(`${name} sends another file: ${answer.status}`);
  return writeScript([`GET ${at} HTTP/1.1\r\nHost: localhost\r\n\r\n`]);
}

async function published({ url, key }: Subject): Promise<string> {
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
  const { data } = (await (await fetch(`${url}/api/categories`, { headers })).json()) as { data: { id: string }[] };
  const file = { name: 'a.json', text };
  const body = JSON.stringify({ title: 'A', description: 'A', price: 0, category_id: data[0]?.id, file });
  const answer = await fetch(`${url}/api/automations`, { method: 'POST', headers, body });
  if (answer.status !== 201) throw new Error(await answer.text());
  return ((await answer.json()) as { id: string }).id;
}
