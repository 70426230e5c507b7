/** Our service beside bare servers that do the same work: `node dist/bench/http.js [COUNT [SECONDS [ROUNDS]]]`. */
import { writeFileSync } from 'node:fs';
import { grouped, machine, median, numbersGiven, table } from './figures.js';
import { shapesOf } from './http/checks.js';
import { load, tasksFor, unchanged, type Outcome, type Task } from './http/load.js';
import { KINDS, pinLoad, start, type Subject } from './http/subjects.js';
import { bars } from './plot.js';

const CATEGORIES = 50;
const PICTURE = 'docs/http.svg';
const COLOURS = ['#999999', '#d55e00', '#009e73', '#cc79a7', '#0072b2', '#56b4e9'];
const WARM_UP_SECONDS = 2;
const [count = 100_000, seconds = 2, rounds = 9] = numbersGiven([100_000]);

interface Measured {
  readonly subject: Subject;
  readonly tasks: readonly Task[];
  /** By task, then by round. */
  readonly outcomes: Outcome[][];
  /** Of requests for the newest page that have its entity tag, to those that have not, by round; of servers that have entity tags. */
  readonly unchanged: number[];
}

pinLoad();
const measured = await Promise.all(KINDS.map(startChecked));
const shapes = new Set(measured.map(({ shape }) => shape));
if (shapes.size > 1) throw new Error(`the servers answer differently:\n${[...shapes].join('\n')}`);
const names = measured[0]?.tasks.map(({ name }) => name) ?? [];
await round(WARM_UP_SECONDS);
for (const { outcomes, unchanged } of measured) for (const figures of [...outcomes, unchanged]) figures.length = 0;
for (let done = 0; done < rounds; done += 1) await round(seconds);
for (const { subject } of measured) subject.stop();

const head = ['', 'server', 'requests/s', 'to node', 'to Koa', 'p99, ms', 'errors', 'CPU us', 'CPU to Koa', 'busy'];
console.log(table(head, names.flatMap((name, task) => measured.map((one) => row(name, task, one))), 2));
for (const { subject, unchanged } of measured.filter(isOurs))
  console.log(`${subject.name}: ${median(unchanged).toFixed(2)} times as many 304 as 200 of the same page`);
writeFileSync(PICTURE, picture());
console.log(`${grouped(count)} automations, ${CATEGORIES} categories, ${rounds} rounds of ${seconds} s; ${machine()}`);
const failed = measured.some(({ outcomes }) => outcomes.flat().some(({ errors }) => errors > 0));
if (failed) console.log('there were errors: these figures are worth nothing');
process.exitCode = failed ? 1 : 0;

async function startChecked(kind: (typeof KINDS)[number]): Promise<Measured & { shape: string }> {
  const subject = await start(kind, count, CATEGORIES);
  const shape = await shapesOf(subject, count, CATEGORIES);
  const tasks = await tasksFor(subject, count, CATEGORIES);
  return { subject, shape, tasks, outcomes: tasks.map(() => []), unchanged: [] };
}

function isOurs({ subject }: Measured): boolean {
  return subject.name.startsWith('ours');
}

/** Every task on every server, server after server. */
async function round(length: number): Promise<void> {
  for (const task of names.keys())
    for (const { subject, tasks, outcomes } of measured)
      outcomes[task]?.push(await load(subject, tasks[task] as Task, length));
  for (const { subject, outcomes, unchanged: ratios } of measured.filter(isOurs)) {
    const { perSecond } = await load(subject, await unchanged(subject), length);
    ratios.push(perSecond / (outcomes[0]?.at(-1)?.perSecond ?? NaN));
  }
}

/** Ratios are the medians of the ratios in each round, which the machine disturbs less than the figures. */
function row(name: string, task: number, { subject, outcomes }: Measured): string[] {
  const own = outcomes[task] ?? [];
  const middle = (figure: keyof Outcome) => median(own.map((outcome) => outcome[figure]));
  const to = (server: number, figure: keyof Outcome) => ratio(own, measured[server]?.outcomes[task] ?? [], figure).toFixed(2);
  return [
    name,
    subject.name,
    grouped(middle('perSecond')),
    to(0, 'perSecond'),
    to(1, 'perSecond'),
    middle('p99').toFixed(0),
    String(own.reduce((sum, { errors }) => sum + errors, 0)),
    middle('cpu').toFixed(1),
    to(1, 'cpu'),
    middle('busy').toFixed(2),
  ];
}

function ratio(own: readonly Outcome[], others: readonly Outcome[], figure: keyof Outcome): number {
  return median(own.map((outcome, round) => outcome[figure] / (others[round]?.[figure] ?? NaN)));
}

function picture(): string {
  const lines = measured.map(({ subject, outcomes }, n) => {
    const values = outcomes.map((own, task) => ratio(own, measured[1]?.outcomes[task] ?? [], 'perSecond'));
    return { name: subject.name, values, colour: COLOURS[n] ?? '#000000' };
  });
  return bars({ title: 'Requests per second, to bare Koa', places: names, unit: 'x', lines });
}
