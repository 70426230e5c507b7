import { Findings, type Report } from '../../../support/soak-report.js';
import { RawClient } from '../../../support/raw.js';
import { inParallel } from './in-parallel.js';
import { ROWS } from './rows.js';
import { bytesOf, openRun, totalOf, type Run } from './run.js';
import { numbers } from './shuffled.js';
import type { Repositories } from '../../../support/repositories.js';

/** Connections that are open at the same time, most of them waiting for the server to lose patience. */
const AT_ONCE = 500;

type Random = () => number;

/**
 * Sends the bytes of hostile requests with more damage done to them: whatever comes, it is refused or closed, and
 * nothing breaks.
 */
export async function wireFuzz(
  runs: number,
  { repositories, seed }: { repositories: Repositories; seed: number },
): Promise<Report> {
  const run = await openRun(repositories);
  const findings = new Findings();
  const random = numbers(seed);
  const before = process.memoryUsage().rss;
  try {
    const requests = Array.from({ length: runs }, () => damaged(anyRequest(run, random), random));
    await inParallel(requests, (bytes) => send(run, bytes, findings), AT_ONCE);
    await totalOf(run.service);
    findings.set('requests', runs);
    findings.set('MiB grown', (process.memoryUsage().rss - before) / 2 ** 20);
    findings.check(run.service.errors.length === 0, `seed ${seed}: ${run.service.errors.map(String).join(', ')}`);
    return findings;
  } finally {
    await run.service.close();
  }
}

async function send({ service }: Run, bytes: Buffer, findings: Findings): Promise<void> {
  const client = await RawClient.open(service.port);
  client.say(bytes);
  const { answers, closed } = await client.listen({
    head: bytes.subarray(0, 4).toString() === 'HEAD',
  });
  client.destroy();
  const told = JSON.stringify(bytes.toString('latin1').slice(0, 300));
  for (const { status } of answers) {
    findings.count(`${Math.floor(status / 100)}xx`);
    findings.check(status < 500, `${status} to ${told}`);
  }
  if (answers.length > 0) return;
  findings.count('closed without an answer');
  findings.check(closed, `neither answered nor closed: ${told}`);
}

function anyRequest({ names }: Run, random: Random): Buffer {
  const row = pick(ROWS, random);
  return bytesOf(row, names).subarray(0, 4_096);
}

function damaged(bytes: Buffer, random: Random): Buffer {
  let result = bytes;
  for (let times = 1 + Math.floor(random() * 3); times > 0; times -= 1) result = pick(DAMAGES, random)(result, random);
  return result;
}

const at = (bytes: Buffer, random: Random): number => Math.floor(random() * (bytes.length + 1));
const splice = (bytes: Buffer, from: number, to: number, put: Buffer): Buffer =>
  Buffer.concat([bytes.subarray(0, from), put, bytes.subarray(to)]);

const INSERTS = [
  '\r\n',
  '\n',
  '\r',
  '\0',
  ' ',
  ':',
  '\r\n\r\n',
  '%',
  'Transfer-Encoding: chunked\r\n',
  'Content-Length: 7\r\n',
  '\xff\xfe',
];

const DAMAGES: readonly ((bytes: Buffer, random: Random) => Buffer)[] = [
  (bytes, random) => splice(bytes, at(bytes, random), bytes.length, Buffer.alloc(0)),
  (bytes, random) => splice(bytes, at(bytes, random), at(bytes, random), Buffer.from(pick(INSERTS, random), 'latin1')),
  (bytes, random) => {
    const from = at(bytes, random);
    return splice(bytes, from, from + 1, Buffer.from([Math.floor(random() * 256)]));
  },
  (bytes, random) => {
    const from = at(bytes, random);
    return splice(bytes, from, from + Math.floor(random() * 40), Buffer.alloc(0));
  },
  (bytes, random) => {
    const from = at(bytes, random);
    return splice(bytes, from, from, bytes.subarray(from, from + Math.floor(random() * 200)));
  },
];

function pick<Value>(values: readonly Value[], random: Random): Value {
  const value = values[Math.floor(random() * values.length)];
  if (value === undefined) throw new Error('there is nothing to pick from');
  return value;
}
