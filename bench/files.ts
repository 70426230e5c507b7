import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { drawFile, TableFileInspector } from '../adapters/file-inspection/index.js';
import { secretsIn } from '../adapters/file-inspection/secrets.js';
import type { FileName } from '../domain/file.js';
import { grouped, machine, table } from './figures.js';

/** Of the table of secrets, for each 100 KB of any text. */
const MAX_MS = 5;
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

const rows = subjects.map(({ name, files: all }) => {
  const bytes = all.reduce((sum, { length }) => sum + length, 0);
  const inspection = leastMs(() => all.forEach((file) => void inspector.inspect('a.json' as FileName, file)));
  const search = leastMs(() => all.forEach((file) => secretsIn(file.toString())));
  const pictures = leastMs(() => all.forEach((file) => drawFile('n8n', file)));
  return { name, bytes, figures: [inspection, search, pictures].map((ms) => (ms * UNIT) / bytes) };
});
const isMissed = rows.some(({ figures: [, search = 0] }) => search > MAX_MS);
console.log(
  table(
    ['content', 'bytes', 'inspection, ms for 100 KB', 'of it the table of secrets', 'picture, reading included'],
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
  const members = Array.from({ length: 60_000 }, (_, n) => `"k${n}":[{}]`).join();
  return {
    'the start of a key, again and again': JSON.stringify(filled('sk-proj-Qw3rT9yU1oP5aS7dF2 ')),
    'names of headers without a value': listed('"token","value","aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!"'),
    'addresses and e-mail addresses': listed('"https://a.example b@c.example"'),
    'numbers of many digits': listed('1.2345678901234567'),
    'numbers that are not exact': listed('1e999'),
    'members of one object': `{${members}}`,
    'members that are all cut': `{${members},"nodes":[],"connections":{}}`,
    'nodes without anything': nodesOf(filled('{"type":"a"},')),
    'nodes with an address': nodesOf(filled('{"type":"a","parameters":{"url":"b"}},')),
    brackets: filled('['),
    quotes: filled('"'),
    backslashes: `"${filled('\\\\')}"`,
  };
}

function nodesOf(nodes: string): string {
  return `{"nodes":[${nodes.slice(0, -1)}],"connections":{}}`;
}

/** Returns the least of some runs, so that other work on the machine counts little. */
function leastMs(work: () => void): number {
  return Math.min(
    ...Array.from({ length: RUNS }, () => {
      const begun = performance.now();
      work();
      return performance.now() - begun;
    }),
  );
}
