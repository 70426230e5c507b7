/**
 * Our service on MongoDB, and a server by hand that sends one plain command per request:
 * `node dist/bench/mongodb.js [COUNT [SECONDS [ROUNDS]]]`.
 */
import { ReplicaSet } from '../test/support/replica-set.js';
import { atGate, grouped, machine, median, medianRatio, numbersGiven, table } from './figures.js';
import { startBare, startProgram, type Subject } from './http/subjects.js';
import { fill, tasksFor, type Scripts, type TaskName } from './http/tasks.js';
import { load, requireWrk, type Outcome } from './http/wrk.js';

const WARM_UP_SECONDS = 2;
const [count = 100_000, seconds = 3, rounds = 3] = numbersGiven([100_000]);

/** A task, its connections to each process, and the least ratio to the requests/s of the plain server. */
interface Race {
  readonly name: string;
  readonly task: TaskName;
  readonly connections: number;
  readonly processes: 1 | 2;
  readonly gate: number;
}

const RACES: readonly Race[] = [
  { name: 'list, newest 20', task: 'list, newest 20', connections: 64, processes: 1, gate: 5 },
  { name: 'list, random pages', task: 'list, all pages at random', connections: 64, processes: 1, gate: 0.6 },
  { name: 'get', task: 'get', connections: 64, processes: 1, gate: 1 },
  { name: 'create, 1 client', task: 'create', connections: 1, processes: 1, gate: 0.6 },
  { name: 'create, 16', task: 'create', connections: 16, processes: 1, gate: 1.3 },
  { name: 'create, 64', task: 'create', connections: 64, processes: 1, gate: 2 },
  { name: 'create, two processes of 32', task: 'create', connections: 32, processes: 2, gate: 1.5 },
];

/** The processes of one kind on one database; the first has filled it. */
interface Contestant {
  readonly subjects: readonly Subject[];
  readonly scripts: Scripts;
  /** By race, then by round. */
  readonly outcomes: Outcome[][];
}

// MongoDB may use both cores, the load and the servers have one each.
requireWrk();
const set = await ReplicaSet.start(1);
const plain = await startPlain(set.urlOf('plain'));
const ours = await startOurs(set.urlOf('ours'));
for (const subject of [...plain.subjects, ...ours.subjects]) subject.pin();
await round(WARM_UP_SECONDS);
for (const { outcomes } of [plain, ours]) for (const outcome of outcomes) outcome.length = 0;
for (let done = 0; done < rounds; done += 1) await round(seconds);
for (const { subjects } of [plain, ours]) for (const subject of subjects) subject.stop();
await set.stop();

const rows = RACES.map((race, n) => row(race, plain.outcomes[n] ?? [], ours.outcomes[n] ?? []));
console.log(table(['', 'plain/s', 'ours/s', 'ratio', 'gate', 'plain p99, ms', 'ours p99, ms', 'errors'], rows, 1));
console.log(`${grouped(count)} automations, ${rounds} rounds of ${seconds} s; ${machine()}`);
console.log('MongoDB with one node, majority and journal');
const missed = rows.filter((cells) => cells[3]?.endsWith('!')).length;
const errors = [plain, ours].some(({ outcomes }) => outcomes.flat().some((outcome) => outcome.errors > 0));
const all = 'every ratio is at its gate or above';
console.log(missed === 0 ? all : `${missed} ratios are below their gates, marked with !`);
if (errors) console.log('there were errors: these figures mean nothing');
process.exitCode = missed > 0 || errors ? 1 : 0;

async function startPlain(url: string): Promise<Contestant> {
  const first = await startBare('plain', 'driver', count, { MONGODB_URL: url });
  return contestant(first, await startBare('plain', 'driver', 0, { MONGODB_URL: url }));
}

async function startOurs(url: string): Promise<Contestant> {
  const environment = { STORAGE: 'mongodb', MONGODB_URL: url };
  const first = await startProgram('ours', environment);
  await fill(first, count);
  return contestant(first, await startProgram('ours', environment, { key: first.key }));
}

async function contestant(first: Subject, second: Subject): Promise<Contestant> {
  return { subjects: [first, second], scripts: await tasksFor(first, count), outcomes: RACES.map(() => []) };
}

/** Every race, one contestant after the other. */
async function round(length: number): Promise<void> {
  for (const [n, race] of RACES.entries())
    for (const one of [plain, ours]) one.outcomes[n]?.push(await run(one, race, length));
}

async function run({ subjects, scripts }: Contestant, race: Race, length: number): Promise<Outcome> {
  const { task, connections, processes } = race;
  const loads = subjects.slice(0, processes).map((subject) => load(subject, scripts[task], length, connections));
  const outcomes = await Promise.all(loads);
  const sum = (figure: keyof Outcome) => outcomes.reduce((total, outcome) => total + outcome[figure], 0);
  const [first] = outcomes as [Outcome];
  const p99Ms = Math.max(...outcomes.map((outcome) => outcome.p99Ms));
  return { ...first, perSecond: sum('perSecond'), errors: sum('errors'), p99Ms };
}

function row({ name, gate }: Race, base: readonly Outcome[], own: readonly Outcome[]): string[] {
  const figures = (outcomes: readonly Outcome[], figure: keyof Outcome) => outcomes.map((outcome) => outcome[figure]);
  const [baseSpeed, ownSpeed] = [figures(base, 'perSecond'), figures(own, 'perSecond')];
  const failures = [...base, ...own].reduce((total, { errors: some }) => total + some, 0);
  return [
    name,
    grouped(median(baseSpeed)),
    grouped(median(ownSpeed)),
    atGate(medianRatio(ownSpeed, baseSpeed), gate),
    gate.toFixed(1),
    median(figures(base, 'p99Ms')).toFixed(0),
    median(figures(own, 'p99Ms')).toFixed(0),
    String(failures),
  ];
}
