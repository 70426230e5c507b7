/** Our service beside bare servers that do the same work: `node dist/bench/http.js [COUNT [SECONDS [ROUNDS]]]`. */
import { grouped, machine, median, numbersGiven, table } from './figures.js';
import { shapesOf } from './http/checks.js';
import { load, tasksFor, type Outcome, type Task } from './http/load.js';
import { KINDS, pinLoad, start, type Subject } from './http/subjects.js';

const CATEGORIES = 50;
const WARM_UP_SECONDS = 2;
const [count = 100_000, seconds = 2, rounds = 9] = numbersGiven([100_000]);

interface Measured {
  readonly subject: Subject;
  readonly tasks: readonly Task[];
  /** By task, then by round. */
  readonly outcomes: Outcome[][];
}

pinLoad();
const measured = await Promise.all(KINDS.map(startChecked));
const shapes = new Set(measured.map(({ shape }) => shape));
if (shapes.size > 1) throw new Error(`the servers answer differently:\n${[...shapes].join('\n')}`);
const names = measured[0]?.tasks.map(({ name }) => name) ?? [];
await round(WARM_UP_SECONDS);
for (const { outcomes } of measured) for (const outcome of outcomes) outcome.length = 0;
for (let done = 0; done < rounds; done += 1) await round(seconds);
for (const { subject } of measured) subject.stop();

const head = ['', 'server', 'requests/s', 'to node', 'to Koa', 'p99, ms', 'errors', 'CPU us', 'CPU to Koa', 'busy'];
console.log(table(head, names.flatMap((name, task) => measured.map((one) => row(name, task, one))), 2));
console.log(`${grouped(count)} automations, ${CATEGORIES} categories, ${rounds} rounds of ${seconds} s; ${machine()}`);
const failed = measured.some(({ outcomes }) => outcomes.flat().some(({ errors }) => errors > 0));
if (failed) console.log('there were errors: these figures are worth nothing');
process.exitCode = failed ? 1 : 0;

async function startChecked(kind: (typeof KINDS)[number]): Promise<Measured & { shape: string }> {
  const subject = await start(kind, count, CATEGORIES);
  const shape = await shapesOf(subject, count, CATEGORIES);
  const tasks = await tasksFor(subject, count, CATEGORIES);
  return { subject, shape, tasks, outcomes: tasks.map(() => []) };
}

/** Every task on every server, server after server. */
async function round(length: number): Promise<void> {
  for (const task of names.keys())
    for (const { subject, tasks, outcomes } of measured)
      outcomes[task]?.push(await load(subject, tasks[task] as Task, length));
}

/** Ratios are the medians of the ratios in each round, which the machine disturbs less than the figures. */
function row(name: string, task: number, { subject, outcomes }: Measured): string[] {
  const own = outcomes[task] ?? [];
  const middle = (figure: keyof Outcome) => median(own.map((outcome) => outcome[figure]));
  const to = (server: number, figure: keyof Outcome) => {
    const others = measured[server]?.outcomes[task] ?? [];
    return median(own.map((outcome, round) => outcome[figure] / (others[round]?.[figure] ?? NaN))).toFixed(2);
  };
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
