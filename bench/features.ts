/** What each feature costs a list and a create: `node dist/bench/features.js [SECONDS [ROUNDS]]`. */
import { machine, median, numbersGiven, table } from './figures.js';
import { load, tasksFor, type Task } from './http/load.js';
import { pinLoad, start, type Kind, type Subject } from './http/subjects.js';

const COUNT = 1_000;
const CATEGORIES = 16;
const [seconds = 1, rounds = 7] = numbersGiven([1]);
const LIMITED = { RATE_LIMIT_READS: '1000000', RATE_LIMIT_CREATES: '1000000' };
const variant = (name: string, environment: Record<string, string> = {}): Kind => ({
  name,
  kind: 'marketplace',
  environment: { STORAGE: 'memory', ...LIMITED, ...environment },
});

/** The first has everything; each other lacks what its name says. */
const VARIANTS: readonly Kind[] = [
  variant('everything'),
  variant('rate limits', { RATE_LIMIT_READS: 'off', RATE_LIMIT_CREATES: 'off' }),
  variant('log lines', { LOG_LEVEL: 'warn' }),
  variant('admission and metrics', { WITHOUT: 'service' }),
  variant('looking keys up', { WITHOUT: 'key look-ups' }),
  variant('all of these', { RATE_LIMIT_READS: 'off', RATE_LIMIT_CREATES: 'off', LOG_LEVEL: 'warn', WITHOUT: 'service,key look-ups' }),
];

interface Measured {
  readonly subject: Subject;
  readonly tasks: readonly Task[];
  /** Microseconds of the processor a request, by task, then by round. */
  readonly costs: number[][];
}

pinLoad();
const measured: readonly Measured[] = await Promise.all(VARIANTS.map(started));
const names = ['list, newest 20', 'get', 'create'];
for (let round = -1; round < rounds; round += 1)
  for (const [task, name] of names.entries()) for (const one of measured) await measure(one, task, name, round);
for (const { subject } of measured) subject.stop();
const rows = measured.map(({ subject: { name }, costs }) => [name, ...costs.map((own, task) => ratio(own, measured[0]?.costs[task] ?? []))]);
console.log(table(['without', ...names], rows, 1));
console.log(`processor time a request, to that with everything; ${rounds} rounds of ${seconds} s; ${machine()}`);

async function started(kind: Kind): Promise<Measured> {
  const subject = await start(kind, COUNT, CATEGORIES);
  return { subject, tasks: await tasksFor(subject, COUNT, CATEGORIES), costs: [[], [], []] };
}

async function measure({ subject, tasks, costs }: Measured, task: number, name: string, round: number): Promise<void> {
  const work = tasks.find((one) => one.name === name);
  if (work === undefined) throw new Error(`there is no task ${name}`);
  const { cpu, errors } = await load(subject, work, seconds);
  if (errors > 0) throw new Error(`${subject.name}: ${errors} errors`);
  if (round >= 0) costs[task]?.push(cpu);
}

function ratio(own: readonly number[], whole: readonly number[]): string {
  return median(own.map((cost, round) => cost / (whole[round] ?? NaN))).toFixed(2);
}
