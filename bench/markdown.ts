import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { grouped, machine, table } from './figures.js';
import { Build } from './markdown/pages.js';
import { hostileTexts } from './markdown/texts.js';

const MAX_BYTES = 100_000;
const MAX_MS = 18;
const SEED = 1;
/** A build without a limit takes seconds for some texts. */
const OTHER_SHARE = 20;

interface Found {
  readonly text: string;
  readonly figure: number;
}

interface Searched {
  readonly name: string;
  readonly count: number;
  readonly bytes: Found;
  readonly milliseconds: Found;
  /** The slowest excerpt of 300 characters. */
  readonly excerptMs: Found;
}

const NOTHING: Found = { text: '', figure: 0 };
const { values, positionals } = parseArgs({
  options: { against: { type: 'string' }, descriptions: { type: 'string' } },
  allowPositionals: true,
});
const count = Number(positionals[0] ?? 10_000);
const own = new Build(fileURLToPath(new URL('../..', import.meta.url)));
const other = values.against === undefined ? undefined : new Build(values.against);

const searched = [await search('this build', own, count)];
if (other !== undefined) searched.push(await search('the other build', other, Math.ceil(count / OTHER_SHARE)));
console.log(resultsOf(searched));
const rows = await shownRows(searched[0]?.bytes.text ?? '', searched[0]?.milliseconds.text ?? '');
console.log(`\n${table(['description', 'build', 'response', 'bytes', 'CPU, ms', 'blocked, ms'], rows, 3)}`);
if (values.descriptions !== undefined && other !== undefined)
  console.log(`\n${await differences(values.descriptions, other)}`);
console.log(`\n${machine()}`);
const isMissed = searched.slice(0, 1).some(({ bytes, milliseconds }) => {
  return bytes.figure > MAX_BYTES || milliseconds.figure > MAX_MS;
});
process.exitCode = isMissed ? 1 : 0;

async function search(name: string, build: Build, texts: number): Promise<Searched> {
  const { markdownToHtml, markdownToText, renderMarkdown: render = htmlBy(markdownToHtml) } = await build.views();
  let [bytes, milliseconds, excerptMs] = [NOTHING, NOTHING, NOTHING];
  for (const text of hostileTexts(texts, SEED)) {
    bytes = worse(bytes, { text, figure: Buffer.byteLength(render(text).html) });
    milliseconds = worse(milliseconds, { text, figure: timeOf(() => render(text), milliseconds.figure) });
    excerptMs = worse(excerptMs, { text, figure: timeOf(() => markdownToText(text, 300), excerptMs.figure) });
  }
  return { name, count: texts, bytes, milliseconds, excerptMs };
}

/** An earlier build keeps nothing that it rendered. */
function htmlBy(toHtml: (text: string) => string) {
  return (text: string) => ({ html: toHtml(text) });
}

/** Returns the time of the processor; of one that seems to be the longest so far, the least of five. */
function timeOf(work: () => unknown, longest: number): number {
  const first = once(work);
  if (first <= longest) return first;
  return Math.min(first, ...Array.from({ length: 4 }, () => once(work)));
}

function once(work: () => unknown): number {
  const begun = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(begun);
  return (user + system) / 1_000;
}

function worse(one: Found, other: Found): Found {
  return other.figure > one.figure ? other : one;
}

function resultsOf(all: readonly Searched[]): string {
  const head = ['search', 'texts', 'most bytes', 'most CPU, ms', 'excerpt of 300, ms'];
  const figures = ({ name, count: texts, bytes, milliseconds, excerptMs }: Searched) => [
    name,
    grouped(texts),
    `${grouped(bytes.figure)}${bytes.figure > MAX_BYTES ? ' !' : '  '}`,
    `${milliseconds.figure.toFixed(1)}${milliseconds.figure > MAX_MS ? ' !' : '  '}`,
    excerptMs.figure.toFixed(1),
  ];
  const worst = all.flatMap(({ name, bytes, milliseconds }) => [
    `${name}, most bytes: ${JSON.stringify(bytes.text.slice(0, 80))}`,
    `${name}, most time: ${JSON.stringify(milliseconds.text.slice(0, 80))}`,
  ]);
  return [table(head, all.map(figures), 1), '', ...worst].join('\n');
}

/** Measures where descriptions are shown: the worst that were found, and two that are bad without a limit. */
async function shownRows(largest: string, slowest: string): Promise<readonly (readonly string[])[]> {
  const cells = `${'x|'.repeat(181)}\n${'-|'.repeat(181)}\n${'x\n'.repeat(361)}\n`.repeat(6).trim();
  const texts = { 'most bytes': largest, 'most time': slowest, 'missing cells': cells, quotes: '"'.repeat(10_000) };
  const builds = { this: own, ...(other && { other }) };
  const found: (readonly string[])[] = [];
  for (const [name, text] of Object.entries(texts))
    for (const [build, opened] of Object.entries(builds)) {
      const pages = await opened.open(text);
      for (const [response, { bytes, milliseconds, blockedMs }] of Object.entries(await pages.costs()))
        found.push([name, build, response, grouped(bytes), milliseconds.toFixed(0), blockedMs.toFixed(0)]);
      pages.close();
    }
  return found;
}

/** Compares what both builds make of the descriptions in a file of JSON lines. */
async function differences(file: string, against: Build): Promise<string> {
  const [mine, theirs] = [await own.views(), await against.views()];
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  const texts = lines.map((line) => (JSON.parse(line) as { readonly description: string }).description);
  const different = texts.filter((text) => {
    const isSame = mine.markdownToHtml(text) === theirs.markdownToHtml(text);
    return !isSame || mine.markdownToText(text, 300) !== theirs.markdownToText(text, 300);
  });
  const some = different.slice(0, 10).map((text) => `  ${JSON.stringify(text.slice(0, 200))}`);
  return [`${different.length} of ${texts.length} descriptions look different`, ...some].join('\n');
}
