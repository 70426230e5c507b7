import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { drawFile, TableFileInspector } from '../adapters/file-inspection/index.js';
import { secretsIn } from '../adapters/file-inspection/secrets.js';
import type { FileName } from '../domain/file.js';
import { grouped, machine, table } from './figures.js';

/** Of the table of secrets, for each 100 KB of any text. */
const MAX_MS = 5;
/** In which nothing else is done while a file is inspected. */
const MAX_TURN_MS = 50;
const UNIT = 100_000;
const MEBIBYTE = 1_048_576;
const RUNS = 15;
const SAMPLES = 'test/integration/file-inspection/samples';

interface Subject {
  readonly name: string;
  readonly files: readonly Buffer[];
}

const inspector = new TableFileInspector();
const [folder = SAMPLES] = process.argv.slice(2);
const files = filesIn(folder);
const subjects: readonly Subject[] = [
  { name: `${files.length} files of ${folder}`, files },
  { name: 'one of 100 KB, of the same nodes', files: [joined(files, UNIT)] },
  ...Object.entries(hostileTexts()).map(([name, text]) => ({ name, files: [Buffer.from(text)] })),
];

const rows: { readonly name: string; readonly bytes: number; readonly figures: readonly number[] }[] = [];
for (const { name, files: all } of subjects) {
  const bytes = all.reduce((sum, { length }) => sum + length, 0);
  const per100Kb = (ms: number) => (ms * UNIT) / bytes;
  const inspectAll = async () => {
    for (const file of all) await inspector.inspect('a.json' as FileName, file);
  };
  const inspection = await leastMs(inspectAll);
  const turn = await longestTurn(inspectAll);
  const search = await leastMs(() => all.forEach((file) => secretsIn(file.toString())));
  const pictures = await leastMs(() => all.forEach((file) => drawFile('n8n', file)));
  rows.push({ name, bytes, figures: [per100Kb(inspection), turn, per100Kb(search), per100Kb(pictures)] });
}
const isMissed = rows.some(({ figures: [, turn = 0, search = 0] }) => search > MAX_MS || turn > MAX_TURN_MS);
console.log(
  table(
    [
      'content',
      'bytes',
      'inspection, ms for 100 KB',
      'its longest turn, ms',
      'of it the table of secrets',
      'picture, reading included',
    ],
    rows.map(({ name, bytes, figures }) => [name, grouped(bytes), ...figures.map((ms) => ms.toFixed(2))]),
    1,
  ),
);
console.log(`\n${machine()}`);
process.exitCode = isMissed ? 1 : 0;

function filesIn(path: string): readonly Buffer[] {
  const all = readdirSync(path, { recursive: true, encoding: 'utf8' });
  return all.filter((file) => file.endsWith('.json')).map((file) => readFileSync(join(path, file)));
}

/** Returns a workflow of the nodes of all, as often as they fit. */
function joined(all: readonly Buffer[], bytes: number): Buffer {
  const nodes = all.flatMap((file) => (JSON.parse(file.toString()) as { readonly nodes: readonly object[] }).nodes);
  const found: object[] = [];
  for (let size = 0, n = 0; size < bytes; n += 1) {
    const node = { ...nodes[n % nodes.length], name: `Node ${n}` };
    found.push(node);
    size += JSON.stringify(node, undefined, 2).length;
  }
  return Buffer.from(JSON.stringify({ nodes: found, connections: {}, meta: { instanceId: '0' } }, undefined, 2));
}

function hostileTexts(): Readonly<Record<string, string>> {
  const filled = (text: string) => text.repeat(Math.floor(MEBIBYTE / text.length) - 10);
  const listed = (text: string) => `[${filled(`${text},`)}1]`;
  const many = (text: (n: number) => string, length = 6_000) => Array.from({ length }, (_, n) => text(n)).join();
  const members = many((n) => `"k${n}":[{}]`);
  const secrets = many((n) => `"sk-proj-Qw3rT9yU1oP5aS7dF2${n}"`);
  return {
    'the start of a key, again and again': JSON.stringify(filled('sk-proj-Qw3rT9yU1oP5aS7dF2 ')),
    'names of headers without a value': `[${many(() => `"token","value","${'a'.repeat(150)}!"`)}]`,
    'addresses and e-mail addresses': `["${filled('https://a.example b@c.example ')}"]`,
    'numbers of many digits': `[${many(() => '1.2345678901234567', 19_000)}]`,
    'numbers of more digits': `[${many(() => `1.2${'0'.repeat(50)}`, 19_000)}]`,
    'numbers that are not exact': `[${many(() => '1e999', 19_000)}]`,
    'values, too many': listed('1'),
    'secrets below a long name': `{"${filled('x').slice(300_000)}":[${secrets}]}`,
    'members of one object': `{${members}}`,
    'members that are all cut': `{${members},"nodes":[],"connections":{}}`,
    'nodes without anything': nodesOf(`${many(() => '{"type":"a"}', 9_000)},`),
    'nodes with an address': nodesOf(`${many(() => '{"type":"a","parameters":{"url":"b"}}')},`),
    'nodes and addresses': nodesOf(
      `${many(() => '{"type":"a"}')},{"type":"a","notes":"${filled('https://a.example b@c.example ').slice(150_000)}"},`,
    ),
    brackets: filled('['),
    quotes: filled('"'),
    backslashes: `"${filled('\\\\')}"`,
  };
}

function nodesOf(nodes: string): string {
  return `{"nodes":[${nodes.slice(0, -1)}],"connections":{}}`;
}

/** Returns the least of some runs, so that other work on the machine counts little. */
async function leastMs(work: () => unknown): Promise<number> {
  return leastOf(async () => {
    const begun = performance.now();
    await work();
    return performance.now() - begun;
  });
}

/** Returns the longest time of the work in which nothing else is done, the least of some runs. */
async function longestTurn(work: () => Promise<void>): Promise<number> {
  return leastOf(async () => {
    let [longest, last, isDone] = [0, performance.now(), false];
    const count = () => {
      longest = Math.max(longest, performance.now() - last);
      last = performance.now();
    };
    const working = work().then(() => {
      isDone = true;
    });
    while (!isDone) {
      await setImmediate();
      count();
    }
    await working;
    return longest;
  });
}

async function leastOf(run: () => Promise<number>): Promise<number> {
  let least = Infinity;
  for (let n = 0; n < RUNS; n += 1) least = Math.min(least, await run());
  return least;
}
