/** Our service on MongoDB beside a server by hand that sends one plain command a request: `node dist/bench/mongodb.js [COUNT [SECONDS [ROUNDS]]]`. */
import { ReplicaSet } from '../test/integration/mongodb/replica-set.js';
import { grouped, machine, median, numbersGiven, table } from './figures.js';
import { load, tasksFor, type Outcome, type Task } from './http/load.js';
import { pinLoad, start, type Kind, type Subject } from './http/subjects.js';

const CATEGORIES = 50;
const WARM_UP_SECONDS = 2;
const [count = 100_000, seconds = 3, rounds = 3] = numbersGiven([100_000]);

/** A task, at how many connections to each of how many processes, and how many times the plain server's requests it must reach. */
interface Race {
  readonly name: string;
  readonly task: string;
  readonly connections: number;
  readonly processes: 1 | 2;
  readonly gate: number;
}

const RACES: readonly Race[] = [
  { name: 'list, newest 20', task: 'list, newest 20', connections: 64, processes: 1, gate: 5 },
  { name: 'list, random pages', task: 'list, random pages', connections: 64, processes: 1, gate: 1.2 },
  { name: 'get', task: 'get', connections: 64, processes: 1, gate: 2 },
  { name: 'create, 1 client', task: 'create', connections: 1, processes: 1, gate: 0.8 },
  { name: 'create, 16', task: 'create', connections: 16, processes: 1, gate: 1.3 },
  { name: 'create, 64', task: 'create', connections: 64, processes: 1, gate: 2 },
  { name: 'create, two processes of 32', task: 'create', connections: 32, processes: 2, gate: 1.5 },
];

/** The processes of one kind on one database; the first has filled it. */
interface Contestant {
  readonly subjects: readonly Subject[];
  readonly tasks: readonly (readonly Task[])[];
  /** By race, then by round. */
  readonly outcomes: Outcome[][];
}

// MongoDB may use both cores, the load and the servers have one each.
const set = await ReplicaSet.start(1);
pinLoad();
const plain = await contestant({ name: 'plain', kind: 'driver', environment: { MONGODB_URL: set.urlOf('plain') } });
const limits = { RATE_LIMIT_READS: 'off', RATE_LIMIT_CREATES: 'off', RATE_LIMIT_FAILED_AUTH: 'off' };
const ours = await contestant({ name: 'ours', kind: 'marketplace', environment: { ...limits, STORAGE: 'mongodb', MONGODB_URL: set.urlOf('ours') } });
await round(WARM_UP_SECONDS);
for (const { outcomes } of [plain, ours]) for (const outcome of outcomes) outcome.length = 0;
for (let done = 0; done < rounds; done += 1) await round(seconds);
for (const { subjects } of [plain, ours]) for (const subject of subjects) subject.stop();
await set.stop();

const rows = RACES.map((race, n) => row(race, plain.outcomes[n] ?? [], ours.outcomes[n] ?? []));
console.log(table(['', 'plain/s', 'ours/s', 'ratio', 'gate', 'plain p99, ms', 'ours p99, ms', 'errors'], rows, 1));
console.log(`${grouped(count)} automations, ${CATEGORIES} categories, ${rounds} rounds of ${seconds} s, MongoDB with one node, majority and journal; ${machine()}`);
const missed = rows.filter((cells) => cells[3]?.endsWith('!')).length;
const errors = [plain, ours].some(({ outcomes }) => outcomes.flat().some((outcome) => outcome.errors > 0));
console.log(missed === 0 ? 'every ratio is at its gate or above' : `${missed} ratios are below their gates, marked with !`);
if (errors) console.log('there were errors: these figures are worth nothing');
process.exitCode = missed > 0 || errors ? 1 : 0;

async function contestant(kind: Kind): Promise<Contestant> {
  const subjects = [await start(kind, count, CATEGORIES), await start(kind, 0, CATEGORIES)];
  const [first] = subjects as [Subject];
  const shared = await tasksFor(first, count, CATEGORIES);
  const second = await tasksFor({ ...first, key: subjects[1]?.key ?? '' }, count, CATEGORIES);
  return { subjects, tasks: [shared, second], outcomes: RACES.map(() => []) };
}

/** Every race, one contestant after the other. */
async function round(length: number): Promise<void> {
  for (const [n, race] of RACES.entries())
    for (const one of [plain, ours]) one.outcomes[n]?.push(await run(one, race, length));
}

async function run({ subjects, tasks }: Contestant, { task, connections, processes }: Race, length: number): Promise<Outcome> {
  const loads = subjects.slice(0, processes).map((subject, n) => {
    const own = tasks[n]?.find(({ name }) => name === task);
    if (own === undefined) throw new Error(`there is no task ${task}`);
    return load(subject, own, length, connections);
  });
  const outcomes = await Promise.all(loads);
  const sum = (figure: keyof Outcome) => outcomes.reduce((total, outcome) => total + outcome[figure], 0);
  const [first] = outcomes as [Outcome];
  return { ...first, perSecond: sum('perSecond'), errors: sum('errors'), p99: Math.max(...outcomes.map(({ p99 }) => p99)) };
}

/** The ratio is the median of those of the rounds, which the machine disturbs less than the figures. */
function row({ name, gate }: Race, base: readonly Outcome[], own: readonly Outcome[]): string[] {
  const ratio = median(own.map(({ perSecond }, n) => perSecond / (base[n]?.perSecond ?? NaN)));
  const middle = (outcomes: readonly Outcome[], figure: keyof Outcome) => median(outcomes.map((outcome) => outcome[figure]));
  const failures = [...base, ...own].reduce((total, { errors: some }) => total + some, 0);
  return [
    name,
    grouped(middle(base, 'perSecond')),
    grouped(middle(own, 'perSecond')),
    `${ratio.toFixed(2)}${ratio < gate ? ' !' : '  '}`,
    gate.toFixed(1),
    middle(base, 'p99').toFixed(0),
    middle(own, 'p99').toFixed(0),
    String(failures),
  ];
}
