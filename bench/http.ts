/**
 * Requests per second of our service and of bare servers that do the same work, by wrk:
 * `node dist/bench/http.js [--quick] [--against CHECKOUT]`.
 */
import { parseArgs } from 'node:util';
import { grouped, machine, median, quartiles, table } from './figures.js';
import { shapesOf } from './http/checks.js';
import { startBare, startProgram, type Subject } from './http/subjects.js';
import { fill, TASK_NAMES, tasksFor, type Scripts, type TaskName } from './http/tasks.js';
import { load, requireWrk, type Outcome } from './http/wrk.js';

const KOA = 'bare Koa';
const BARE = { 'bare node:http': 'node', [KOA]: 'koa', 'bare Fastify': 'fastify', 'bare Express': 'express' };
const STORAGES = { 'in memory': 'memory', 'on SQLite': 'sqlite' };
const WARM_UP_SECONDS = 1;

interface Measured {
  readonly subject: Subject;
  readonly scripts: Scripts;
  /** One outcome per round. */
  readonly outcomes: Readonly<Record<TaskName, Outcome[]>>;
}

const options = { against: { type: 'string' }, quick: { type: 'boolean', default: false } } as const;
const { against, quick } = parseArgs({ options }).values;
const [items, rounds, seconds] = quick ? [40_000, 3, 1] : [200_000, 9, 2];

requireWrk();
const subjects = await startAll();
console.error('filled');
const measured = await Promise.all(subjects.map(prepare));
for (const { subject } of measured) subject.pin();
await round(0, WARM_UP_SECONDS);
for (const { outcomes } of measured) for (const name of TASK_NAMES) outcomes[name].length = 0;
for (let number = 1; number <= rounds; number += 1) {
  await round(number, seconds);
  console.error(`round ${number} of ${rounds}`);
}
for (const { subject } of measured) subject.stop();

console.log(toKoa());
if (against !== undefined) console.log(`\n${afterToBefore()}`);
console.log(`${grouped(items)} automations, 64 connections, ${rounds} rounds of ${seconds} s; ${machine()}`);
const failed = measured.filter(({ outcomes }) =>
  Object.values(outcomes)
    .flat()
    .some(({ errors }) => errors > 0),
);
for (const { subject } of failed) console.log(`${subject.name} had errors: its figures mean nothing`);
process.exitCode = failed.length > 0 ? 1 : 0;

async function startAll(): Promise<Subject[]> {
  const bare = Object.entries(BARE).filter(([name]) => !quick || name === KOA);
  const ours = Object.entries(STORAGES).flatMap(([name, STORAGE]) => [
    startProgram(afterOf(name), { STORAGE }),
    ...(against === undefined ? [] : [startProgram(beforeOf(name), { STORAGE }, { root: against })]),
  ]);
  const all = await Promise.all([...bare.map(([name, kind]) => startBare(name, kind, items)), ...ours]);
  await Promise.all(all.slice(bare.length).map((subject) => fill(subject, items)));
  const shapes = new Set<string>();
  for (const subject of all) {
    const shape = await shapesOf(subject, items);
    if (!subject.name.endsWith('before')) shapes.add(shape);
  }
  if (shapes.size > 1) throw new Error(`the servers answer differently:\n${[...shapes].join('\n')}`);
  return all;
}

async function prepare(subject: Subject): Promise<Measured> {
  const scripts = await tasksFor(subject, items);
  const outcomes = Object.fromEntries(TASK_NAMES.map((name) => [name, []])) as unknown as Measured['outcomes'];
  return { subject, scripts, outcomes };
}

/** Measures every task on every server, server after server; the other way round in every second round. */
async function round(number: number, length: number): Promise<void> {
  for (const name of TASK_NAMES)
    for (const { subject, scripts, outcomes } of number % 2 === 0 ? measured : measured.toReversed()) {
      outcomes[name].push(await load(subject, scripts[name], length));
      subject.emptyLog();
    }
}

/** A row for each task, a column for each server of this checkout. */
function toKoa(): string {
  const columns = measured.filter(({ subject }) => !subject.name.endsWith('before'));
  const cell = (name: TaskName, { subject, outcomes }: Measured): string => {
    const ratio = median(ratios(name, subject.name, KOA, 'perSecond')).toFixed(2);
    const [p99, cpu] = (['p99Ms', 'cpuUs'] as const).map((figure) => median(outcomes[name].map((one) => one[figure])));
    return `${ratio} (${p99?.toFixed(0) ?? ''} ms, ${cpu?.toFixed(0) ?? ''} us)`;
  };
  const rows = TASK_NAMES.map((name) => [name, ...columns.map((one) => cell(name, one))]);
  const title = 'requests/s to bare Koa (p99, CPU per request)';
  return table([title, ...columns.map(({ subject }) => subject.name)], rows, 1);
}

/** A row for each task and storage: this checkout to the other. */
function afterToBefore(): string {
  const rows = TASK_NAMES.flatMap((name) =>
    Object.keys(STORAGES).map((storage) => {
      const of = (figure: keyof Outcome) => ratios(name, afterOf(storage), beforeOf(storage), figure);
      const [low, high] = quartiles(of('perSecond'));
      const middle = (figure: keyof Outcome) => median(of(figure)).toFixed(2);
      const spread = `${low.toFixed(2)} to ${high.toFixed(2)}`;
      return [name, storage, middle('perSecond'), spread, middle('p99Ms'), middle('cpuUs')];
    }),
  );
  return table(['after to before', '', 'requests/s', 'middle half of the rounds', 'p99', 'CPU per request'], rows, 2);
}

/** The ratios of two servers in each round, which the machine disturbs less than the figures. */
function ratios(name: TaskName, own: string, other: string, figure: keyof Outcome): number[] {
  const [ownOutcomes, others] = [own, other].map(
    (server) => measured.find(({ subject }) => subject.name === server)?.outcomes[name] ?? [],
  );
  return ownOutcomes?.map((outcome, n) => outcome[figure] / (others?.[n]?.[figure] ?? NaN)) ?? [];
}

function afterOf(storage: string): string {
  return `ours ${storage}`;
}

function beforeOf(storage: string): string {
  return `ours ${storage}, before`;
}
