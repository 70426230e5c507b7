/**
 * How fast each storage creates, next to a plain insert for each, from one process and from several:
 * `node dist/bench/writers.js [SECONDS [ROUNDS]]`.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Place } from '../test/support/place.js';
import { runSql, startPostgres } from '../test/support/postgres.js';
import { ReplicaSet } from '../test/support/replica-set.js';
import { atGate, grouped, machine, median, medianRatio, numbersGiven, table } from './figures.js';
import { temporaryFolder } from './temporary.js';
import { newFile } from './writers/subjects.js';
import type { Written } from './writers/writer.js';

const WRITER = fileURLToPath(new URL('writers/writer.js', import.meta.url));
/** The number of processes, of callers in each, and the least ratio to plain inserts on MongoDB. */
interface Race {
  readonly processes: number;
  readonly callers: number;
  readonly gate: number;
}

const RACES: readonly Race[] = [
  { processes: 1, callers: 1, gate: 0.35 },
  { processes: 1, callers: 16, gate: 1.2 },
  { processes: 1, callers: 64, gate: 2.5 },
  { processes: 2, callers: 32, gate: 2 },
];
const KINDS = ['plain', 'ours'] as const;

/** All processes of a race together: the p99 is that of the slowest. */
interface Outcome {
  readonly perSecond: number;
  readonly p99: number;
}

const [seconds = 5, rounds = 3] = numbersGiven([5]);
const set = await ReplicaSet.start(1, 10_000, { cacheGb: 1 });
const server = await startPostgres();
const storages: readonly ((name: string) => Promise<Place>)[] = [
  async (name) => ({ kind: 'SQLite', file: newFile(join(temporaryFolder(), `${name}.sqlite`)) }),
  async (schema) => {
    await runSql(server.url, `CREATE SCHEMA ${schema}`);
    return { kind: 'PostgreSQL', url: server.url, schema };
  },
  async (database) => ({ kind: 'MongoDB', url: set.urlOf(database), database }),
];
const rows: (readonly string[])[] = [];
for (const newPlace of storages) for (const race of RACES) rows.push(await compare(newPlace, race));
await set.stop();
await server.stop();

const head = ['storage', 'processes', 'callers', 'plain/s', 'ours/s', 'ratio', 'gate', 'plain p99, ms', 'ours p99, ms'];
console.log(table(head, rows, 1));
console.log(`${rounds} rounds of ${seconds} s; ${machine()}`);
console.log('MongoDB with one node, majority and journal; all with their index of words');
if (rows.some((cells) => cells.some((cell) => cell.endsWith('!')))) process.exitCode = 1;

/** Runs both in turns, each time in a new store, and returns a row of the table. */
async function compare(newPlace: (name: string) => Promise<Place>, race: Race): Promise<readonly string[]> {
  const of = { plain: [] as Outcome[], ours: [] as Outcome[] };
  let kindOfStore: Place['kind'] = 'MongoDB';
  for (let round = 0; round < rounds; round += 1)
    for (const kind of KINDS) {
      const place = await newPlace(`${kind}_${race.processes}_${race.callers}_${round}`);
      kindOfStore = place.kind;
      of[kind].push(await run(place, race, kind));
    }
  const [base, own] = [speeds(of.plain), speeds(of.ours)];
  const gate = kindOfStore === 'MongoDB' ? race.gate : 0;
  return [
    ...[kindOfStore, String(race.processes), String(race.callers), grouped(median(base)), grouped(median(own))],
    ...[atGate(medianRatio(own, base), gate), gate === 0 ? '' : String(gate)],
    ...[median(p99s(of.plain)).toFixed(0), median(p99s(of.ours)).toFixed(0)],
  ];
}

function speeds(outcomes: readonly Outcome[]): readonly number[] {
  return outcomes.map(({ perSecond }) => perSecond);
}

function p99s(outcomes: readonly Outcome[]): readonly number[] {
  return outcomes.map(({ p99 }) => p99);
}

async function run(place: Place, { processes, callers }: Race, kind: string): Promise<Outcome> {
  const words = [JSON.stringify(place), kind, String(callers)];
  const writers = Array.from({ length: processes }, () => fork(WRITER, words));
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
