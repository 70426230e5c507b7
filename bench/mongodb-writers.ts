/**
 * What processes that create at the same time on one MongoDB store cost one another:
 * `node dist/bench/mongodb-writers.js [SECONDS [ROUNDS]]`.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { ReplicaSet } from '../test/support/replica-set.js';
import { grouped, machine, median, numbersGiven, table } from './figures.js';
import type { Written } from './mongodb-writers/writer.js';

const WRITER = fileURLToPath(new URL('mongodb-writers/writer.js', import.meta.url));
const PROCESSES = [1, 2, 4] as const;
/** As `npm start` runs the service. */
const NODE = ['--max-semi-space-size=64'];
/** How many times the 99th percentile of one alone that of each may be. */
const GATE = 5;

const [seconds = 5, rounds = 3] = numbersGiven([5]);
const set = await ReplicaSet.start(1);
/** By how many processes, then by round. */
const outcomes = PROCESSES.map((): (readonly Written[])[] => []);
for (let round = 0; round < rounds; round += 1)
  for (const [n, count] of PROCESSES.entries())
    outcomes[n]?.push(await race(count, set.urlOf(`writers-${count}-${round}`)));
await set.stop();

const [alone = []] = outcomes;
const rows = outcomes.map((of, n) => row(PROCESSES[n] ?? 0, of));
console.log(table(['processes', 'creates/s', 'least share', 'p50, ms', 'p99, ms', 'to one', 'gate'], rows, 0));
console.log(`32 callers in each, ${rounds} rounds of ${seconds} s, p99 of the slowest process; ${machine()}`);
console.log('MongoDB with one node, majority and journal');
process.exitCode = rows.some((cells) => cells[5]?.endsWith('!')) ? 1 : 0;

async function race(count: number, url: string): Promise<readonly Written[]> {
  const writers = Array.from({ length: count }, () => fork(WRITER, [url], { execArgv: NODE }));
  await Promise.all(writers.map(message));
  const written = Promise.all(writers.map(message));
  for (const writer of writers) writer.send(seconds * 1_000);
  await Promise.all(writers.map((writer) => once(writer, 'exit')));
  return (await written) as Written[];
}

async function message(writer: ChildProcess): Promise<unknown> {
  const [first] = (await once(writer, 'message')) as [unknown];
  return first;
}

/** The ratio is the median of those of the rounds, which the machine disturbs less than the figures. */
function row(count: number, of: readonly (readonly Written[])[]): string[] {
  const slowest = of.map((writers) => Math.max(...writers.map(({ p99 }) => p99)));
  const together = of.map((writers) => writers.reduce((sum, { perSecond }) => sum + perSecond, 0));
  const shares = of.map((writers, n) => Math.min(...writers.map(({ perSecond }) => perSecond)) / (together[n] ?? NaN));
  const ratio = median(slowest.map((p99, n) => p99 / (alone[n]?.[0]?.p99 ?? NaN)));
  return [
    String(count),
    grouped(median(together)),
    median(shares).toFixed(2),
    median(of.map((writers) => Math.max(...writers.map(({ p50 }) => p50)))).toFixed(0),
    median(slowest).toFixed(0),
    `${ratio.toFixed(1)}${ratio > GATE ? ' !' : '  '}`,
    GATE.toFixed(0),
  ];
}
