import { execFile, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { temporaryFolder } from '../temporary.js';
import type { Subject } from './subjects.js';

const CONNECTIONS = 64;
const LOAD_CORE = '1';

/** What one run of wrk against one server came to. */
export interface Outcome {
  readonly perSecond: number;
  /** The latency that 99 of 100 requests stay below. */
  readonly p99Ms: number;
  /** Answers other than 2xx, and requests without an answer. */
  readonly errors: number;
  /** Processor time of the server per request. */
  readonly cpuUs: number;
}

/** What the script below prints. */
type Result = Readonly<Record<'us' | 'requests' | 'p99Us' | 'errors', number>>;

/** Sends requests at random out of those in the table `requests`, and prints one line of JSON at the end. */
const LUA = `
math.randomseed(os.time())
request = function() return requests[math.random(#requests)] end
done = function(summary, latency)
  local e = summary.errors
  local failed = e.connect + e.read + e.write + e.timeout + e.status
  print(string.format('{"us":%d,"requests":%d,"p99Us":%d,"errors":%d}',
    summary.duration, summary.requests, latency:percentile(99), failed))
end`;

/** Ends the program with one line that says how to install wrk, if it is missing. */
export function requireWrk(): void {
  if (spawnSync('wrk', ['-v']).error === undefined) return;
  console.error('wrk, which makes the load, is missing: apt-get install wrk (Debian, Ubuntu)');
  process.exit(1);
}

/** Writes a script for wrk that sends these requests, and returns its path. */
export function writeScript(requests: readonly string[]): string {
  const path = join(temporaryFolder(), 'requests.lua');
  writeFileSync(path, `local requests = {\n${requests.map((text) => JSON.stringify(text)).join(',\n')}\n}\n${LUA}\n`);
  return path;
}

/** Loads a server with the requests of a script. */
export async function load(
  subject: Subject,
  script: string,
  seconds: number,
  connections = CONNECTIONS,
): Promise<Outcome> {
  const cpuBefore = subject.cpuTimeUs();
  const words = ['-t1', `-c${connections}`, `-d${seconds}s`, '--timeout', '10s', '-s', script, subject.url];
  const { stdout } = await promisify(execFile)('taskset', ['-c', LOAD_CORE, 'wrk', ...words]);
  const { us, requests, p99Us, errors } = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Result;
  return {
    perSecond: ((requests - errors) * 1e6) / us,
    p99Ms: p99Us / 1000,
    errors,
    cpuUs: (subject.cpuTimeUs() - cpuBefore) / requests,
  };
}
