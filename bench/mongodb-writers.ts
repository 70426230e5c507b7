/**
 * How fast the storage creates on MongoDB, next to a plain `insertOne` for each, from one process and from several:
 * `node dist/bench/mongodb-writers.js [SECONDS [ROUNDS]]`.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { ReplicaSet } from '../test/support/replica-set.js';
import { atGate, grouped, machine, median, medianRatio, numbersGiven, table } from './figures.js';
import type { Written } from './mongodb-writers/writer.js';

const WRITER = fileURLToPath(new URL('mongodb-writers/writer.js', import.meta.url));
/** As `npm start` runs the service. */
const NODE = ['--max-semi-space-size=64'];
/** How many times the 99th percentile of one process of 16 that of four may be. */
const MOST_P99 = 12;

/** The number of processes, of callers in each, and the least ratio to the creates/s of `insertOne`. */
interface Race {
  readonly processes: number;
  readonly callers: number;
  readonly gate?: number;
}

const ONE_OF_16: Race = { processes: 1, callers: 16, gate: 1.2 };
const FOUR_OF_16: Race = { processes: 4, callers: 16 };
const RACES: readonly Race[] = [
  { processes: 1, callers: 1, gate: 0.35 },
  ONE_OF_16,
  { processes: 1, callers: 64, gate: 2.5 },
  { processes: 2, callers: 32, gate: 2 },
  FOUR_OF_16,
];
const KINDS = ['insertOne', 'ours'] as const;

/** All processes of a race together: the p99 is that of the slowest. */
interface Outcome {
  readonly perSecond: number;
  readonly p99: number;
}

const [seconds = 5, rounds = 3] = numbersGiven([5]);
const set = await ReplicaSet.start(1, 10_000, { cacheGb: 1 });
const outcomes = new Map(RACES.map((race) => [race, { insertOne: [] as Outcome[], ours: [] as Outcome[] }]));
for (let round = 0; round < rounds; round += 1)
  for (const [race, of] of outcomes) for (const kind of KINDS) of[kind].push(await run(race, kind, round));
await set.stop();

const rows = Array.from(outcomes, ([{ processes, callers, gate }, { insertOne, ours }]) => {
  const [base, own] = [speeds(insertOne), speeds(ours)];
  return [
    ...[String(processes), String(callers), grouped(median(base)), grouped(median(own))],
    ...[atGate(medianRatio(own, base), gate ?? 0), gate?.toFixed(1) ?? ''],
    ...[median(p99s(insertOne)).toFixed(0), median(p99s(ours)).toFixed(0)],
  ];
});
const head = ['processes', 'callers', 'insertOne/s', 'ours/s', 'ratio', 'gate', 'insertOne p99, ms', 'ours p99, ms'];
console.log(table(head, rows, 0));
const [four = [], one = []] = [outcomes.get(FOUR_OF_16)?.ours, outcomes.get(ONE_OF_16)?.ours];
const growth = medianRatio(p99s(four), p99s(one));
console.log(`ours, four processes of 16: the p99 is ${growth.toFixed(1)} x that of one, at most ${MOST_P99} allowed`);
console.log(`${rounds} rounds of ${seconds} s; ${machine()}`);
console.log('MongoDB with one node, majority and journal, without search');
if (!(growth <= MOST_P99) || rows.some((cells) => cells[4]?.endsWith('!'))) process.exitCode = 1;

function speeds(outcomes: readonly Outcome[]): readonly number[] {
  return outcomes.map(({ perSecond }) => perSecond);
}

function p99s(outcomes: readonly Outcome[]): readonly number[] {
  return outcomes.map(({ p99 }) => p99);
}

async function run({ processes, callers }: Race, kind: string, round: number): Promise<Outcome> {
  const url = set.urlOf(`writers-${kind}-${processes}-${callers}-${round}`);
  const words = [url, kind, String(callers)];
  const writers = Array.from({ length: processes }, () => fork(WRITER, words, { execArgv: NODE }));
  await Promise.all(writers.map(message));
  const written = Promise.all(writers.map(message)) as Promise<Written[]>;
  for (const writer of writers) writer.send(seconds * 1_000);
  await Promise.all(writers.map((writer) => once(writer, 'exit')));
  const all = await written;
  return {
    perSecond: all.reduce((sum, { perSecond }) => sum + perSecond, 0),
    p99: Math.max(...all.map(({ p99 }) => p99)),
  };
}

/** Rejects when the writer ends before it sends one. */
async function message(writer: ChildProcess): Promise<unknown> {
  const ended = once(writer, 'exit').then(([code]) => {
    throw new Error(`a writer ended with ${String(code)}`);
  });
  const [first] = (await Promise.race([once(writer, 'message'), ended])) as [unknown];
  return first;
}
