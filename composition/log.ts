import { once } from 'node:events';
import { pino, type DestinationStream, type Logger } from 'pino';
import type { Answered } from '../adapters/http/index.js';
import type { LogLevel } from './config.js';

const KEYS = /amk_[0-9A-Za-z]{36}/g;
/** The user and the password in a URL. */
const CREDENTIALS = /(\/\/)[^\s/@"]+@/g;

export interface Log extends Logger {
  /** Settles when what was on its way is written, or after a second if it cannot be. */
  flushed(): Promise<void>;
}

/** In milliseconds: for how long lines are gathered. A write for each would be a sixth of what a request costs, and looking through each for secrets a thirtieth. */
const GATHERED_FOR = 50;
/** In characters: as many go out at once. In bytes: while nobody takes them, as many are kept, and those beyond are lost rather than the service. */
const LINES_AT_ONCE = 48 * 1024;
const MOST_KEPT = 64 * 1024 * 1024;
/** In milliseconds. */
const LONGEST_FLUSH = 1_000;

/** Where lines go, many at once. */
interface LogFile {
  write(lines: string): unknown;
  /** Settles when they are written. */
  flush?(): Promise<void>;
}

/** By its descriptor or its path. What cannot be written, as to a full disk, is tried again with the lines that come next, and said once on standard error. */
export function logFile(dest: number | string): LogFile {
  const file = pino.destination({ dest, mkdir: true, sync: false, maxLength: MOST_KEPT });
  let [isBehind, isFailing] = [false, false];
  file.on('write', () => (isFailing = false));
  file.on('drain', () => (isBehind = false));
  file.on('error', (error: Error) => {
    if (!isFailing) process.stderr.write(`the log cannot be written: ${error.message}\n`);
    [isBehind, isFailing] = [false, true];
  });
  // When the process exits, pino would try for ever.
  file.flushSync = () => undefined;
  return {
    write: (lines) => {
      isBehind = true;
      file.write(lines);
    },
    flush: async () => {
      if (isBehind) await once(file, 'drain', { signal: AbortSignal.timeout(LONGEST_FLUSH) }).catch(() => undefined);
    },
  };
}

/** JSON lines, in which neither an API key nor one of these secrets stands, whatever the message of an error has in it. */
export function newLog(level: LogLevel, secrets: readonly string[] = [], file: LogFile = logFile(1)): Log {
  const lines = new GatheredLines(file, redaction(secrets));
  return Object.assign(pino({ level }, lines), { flushed: () => lines.flush() });
}

/** Only in values: a secret may be a word that the lines have as the name of a field. */
function redaction(secrets: readonly string[]): (text: string) => string {
  const planted = secrets.filter((secret) => secret !== '');
  const written = planted.map((secret) => JSON.stringify(secret).slice(1, -1));
  const inValue = (_name: string, value: unknown): unknown =>
    typeof value === 'string' ? planted.reduce((rest, secret) => rest.replaceAll(secret, '[redacted]'), value) : value;
  const inLine = (line: string) => JSON.stringify(JSON.parse(line), inValue);
  return (lines) =>
    (written.some((secret) => lines.includes(secret)) ? lines.replace(/[^\n]+/g, inLine) : lines)
      .replaceAll(KEYS, 'amk_[redacted]')
      .replaceAll(CREDENTIALS, '$1[redacted]@');
}

class GatheredLines implements DestinationStream {
  #gathered = '';
  #timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly file: LogFile,
    private readonly redacted: (text: string) => string,
  ) {}

  write(line: string): void {
    this.#gathered += line;
    if (this.#gathered.length >= LINES_AT_ONCE) this.#out();
    else this.#timer ??= setTimeout(() => this.#out(), GATHERED_FOR);
  }

  async flush(): Promise<void> {
    this.#out();
    await this.file.flush?.();
  }

  #out(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#gathered !== '') this.file.write(this.redacted(this.#gathered));
    this.#gathered = '';
  }
}

/** One line a request. */
export function logAnswers(log: Logger): (answered: Answered) => void {
  const logOf = logsOfKinds(log);
  return ({ requestId, duration, aborted, credentialId, traceparent, ...kind }) => {
    const durationMs = Math.round(duration * 1000) / 1000;
    logOf(kind).info({ requestId, durationMs, keyId: credentialId, traceparent, aborted: aborted || undefined }, 'request');
  };
}

/** Of the few kinds of requests that there are, each with a log that has their part of the line ready. */
function logsOfKinds(log: Logger): (kind: Pick<Answered, 'method' | 'route' | 'status'>) => Logger {
  const known = new Map<string, Logger>();
  return ({ method, route, status }) => {
    const name = `${method} ${route} ${status}`;
    const own = known.get(name) ?? log.child({ method, route, status });
    known.set(name, own);
    return own;
  };
}

/** One line a second, in place of one a request: lines are a good part of what it costs to shed. */
export function logSheds(log: Logger): () => void {
  let shed = 0;
  const tell = () => {
    log.warn({ shed }, 'requests were shed');
    shed = 0;
  };
  return () => {
    if (shed === 0) setTimeout(tell, 1_000).unref();
    shed += 1;
  };
}
