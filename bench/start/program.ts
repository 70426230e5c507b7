import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { get } from 'node:http';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../../composition/bin.js', import.meta.url));

/** Makes a Node program say on its standard error, at its end, what it used. */
const TELL_USAGE = `--import=data:text/javascript,${encodeURIComponent(
  'import { writeSync } from "node:fs";' +
    'process.on("exit", () => writeSync(2, "\\n" + JSON.stringify(process.resourceUsage())));',
)}`;

/** What a program took; all of it, and until it answered where it is a service. */
export interface Run {
  readonly output: string;
  readonly seconds: number;
  /** Of the processor: what is left of `seconds` when the machine has nothing else to do, or less. */
  readonly cpuSeconds: number;
  /** The most memory it had at once, in MiB. */
  readonly peak: number;
}

/** Runs the program to its end over a store of its own. @throws Error when it fails. */
export async function run(words: readonly string[], dataDir: string): Promise<Run> {
  const begin = performance.now();
  const child = startProgram(words, dataDir);
  const texts = Promise.all([textOf(child.stdout), textOf(child.stderr)]);
  const [code] = (await once(child, 'exit')) as [number | null];
  const seconds = (performance.now() - begin) / 1000;
  const [output, errors] = await texts;
  if (code !== 0) throw new Error(`${words.join(' ')} failed:\n${errors}`);
  return { output: output.trim(), seconds, ...usageIn(errors) };
}

/** Starts the service, waits for its first 200 and stops it. */
export async function startService(dataDir: string, key: string): Promise<Run> {
  const begin = performance.now();
  const child = startProgram(['serve'], dataDir);
  const [errors, exit] = [textOf(child.stderr), once(child, 'exit')];
  let output = '';
  try {
    for await (const line of createInterface(child.stdout)) {
      output += `${line}\n`;
      const url = /"url":"(http[^"]*)"/.exec(line)?.[1];
      if (url === undefined) continue;
      await expectOk(`${url}/api/categories`, key);
      break;
    }
  } finally {
    child.kill('SIGTERM');
  }
  const seconds = (performance.now() - begin) / 1000;
  await exit;
  return { output, seconds, ...usageIn(await errors) };
}

function usageIn(errors: string): Pick<Run, 'cpuSeconds' | 'peak'> {
  const usage = JSON.parse(errors.slice(errors.lastIndexOf('\n'))) as NodeJS.ResourceUsage;
  return { cpuSeconds: (usage.userCPUTime + usage.systemCPUTime) / 1e6, peak: usage.maxRSS / 1024 };
}

function startProgram(words: readonly string[], dataDir: string): ChildProcessByStdio<null, Readable, Readable> {
  const env = { ...process.env, STORAGE: 'sqlite', DATA_DIR: dataDir, PORT: '0', DRAIN_SECONDS: '0' };
  return spawn(process.execPath, [TELL_USAGE, MAIN, ...words], { env, stdio: ['ignore', 'pipe', 'pipe'] });
}

async function textOf(stream: Readable): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of stream) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString();
}

function expectOk(url: string, key: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = get(url, { headers: { authorization: `Bearer ${key}` } }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`the service answered ${response.statusCode ?? 'nothing'}`));
      response.resume().once('end', resolve);
    });
    request.once('error', reject);
  });
}
