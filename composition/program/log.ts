import { pino, type Logger } from 'pino';
import sonicBoom from 'sonic-boom';
import type { Config } from '../config/config.js';
import { passwordsIn } from '../config/mongodb.js';
import { passwordsInPostgres } from '../config/postgresql.js';

const KEYS = /amk_[0-9A-Za-z]{36}/g;
/** The user and the password in a URL. */
const CREDENTIALS = /(\/\/)[^\s/@"]+@/g;

/** Lines are written together: a write for each would be a sixth of the cost of a request. */
const MIN_WRITE_BYTES = 8 * 1024;
const FLUSH_INTERVAL_MS = 50;
/** While nothing is read, that much is kept; what comes then is lost rather than the service. */
const MAX_WAITING_BYTES = 64 * 1024 * 1024;
const MAX_FLUSH_MS = 1_000;

/** A place for lines. */
interface LogFile {
  write(line: string): unknown;
  /** Resolves when everything is written, or after a second. */
  flush(): Promise<void>;
}

export interface Log extends Logger {
  /** Writes the line by which people and programs see that the service is ready, at any level. */
  ready(addresses: Readonly<Record<string, string>>): void;
  /** Resolves when everything is written, or after a second. */
  flushed(): Promise<void>;
}

/**
 * Opens a file by its descriptor or its path. A write that fails, as to a full disk, is repeated with the next lines;
 * standard error says so once.
 */
function logFile(dest: number | string): LogFile {
  let isFailing = false;
  const file = new sonicBoom.SonicBoom({
    dest,
    sync: false,
    mkdir: true,
    minLength: MIN_WRITE_BYTES,
    periodicFlush: FLUSH_INTERVAL_MS,
    maxLength: MAX_WAITING_BYTES,
    // With strings it measures all that waits again at each line: 11 kB are allocated for a line in place of 3, and the
    // service answers 6 % fewer lists a second.
    contentMode: 'buffer',
  });
  file.on('write', () => (isFailing = false));
  file.on('error', (error: Error) => {
    if (!isFailing) process.stderr.write(`the log cannot be written: ${error.message}\n`);
    isFailing = true;
  });
  return {
    // Its types know of strings alone.
    write: (line) => file.write(Buffer.from(line) as unknown as string),
    /** The first flush may only wait for a write that is under way; the second writes what came meanwhile. */
    flush: () =>
      new Promise((resolve) => {
        const timer = setTimeout(resolve, MAX_FLUSH_MS);
        const done = () => {
          clearTimeout(timer);
          resolve();
        };
        file.flush(() => file.flush(done));
      }),
  };
}

/** The log of the service, as it is configured. */
export function newLog(config: Config): Log {
  const { LOG_LEVEL, LOG_FORMAT, METRICS_TOKEN, MONGODB_URL, POSTGRES_URL } = config;
  const secrets = [METRICS_TOKEN, ...passwordsIn(MONGODB_URL), ...passwordsInPostgres(POSTGRES_URL)];
  const isPretty = LOG_FORMAT === 'pretty' || (LOG_FORMAT === 'auto' && process.stdout.isTTY);
  return openLog(LOG_LEVEL, secrets, logFile(1), isPretty ? 'pretty' : 'json');
}

/** Lines of JSON, or for people, that contain no API key and none of the secrets. */
export function openLog(
  level: Config['LOG_LEVEL'],
  secrets: readonly string[],
  file: LogFile,
  format: 'json' | 'pretty' = 'json',
): Log {
  const redact = redaction(secrets);
  const write = (line: string) => file.write(format === 'json' ? redact(line) : pretty(redact(line)));
  const log = pino({ level, serializers: { err: plainError } }, { write });
  const always = pino({ level: 'info' }, { write });
  return Object.assign(log, {
    ready: (addresses: Readonly<Record<string, string>>) => always.info(addresses, 'listening'),
    flushed: () => file.flush(),
  });
}

/** Keeps the message as it is: it ends with the reason already, which pino takes from the cause and adds again. */
function plainError(error: Error): object {
  return error instanceof Error ? { ...pino.stdSerializers.err(error), message: error.message } : error;
}

/** A shorter secret is part of common words: replaced everywhere, it would show itself and make lines unreadable. */
const MIN_SECRET_LENGTH = 8;

/** Replaces secrets only in values: a secret may be a word that is also the name of a field. */
function redaction(secrets: readonly string[]): (line: string) => string {
  const planted = secrets.filter(({ length }) => length >= MIN_SECRET_LENGTH);
  const written = planted.map((secret) => JSON.stringify(secret).slice(1, -1));
  const inValue = (_name: string, value: unknown): unknown =>
    typeof value === 'string' ? planted.reduce((rest, secret) => rest.replaceAll(secret, '[redacted]'), value) : value;
  const hasSecret = (line: string) => written.some((secret) => line.includes(secret));
  return (line) =>
    (hasSecret(line) ? `${JSON.stringify(JSON.parse(line), inValue)}\n` : line)
      .replaceAll(KEYS, 'amk_[redacted]')
      .replaceAll(CREDENTIALS, '$1[redacted]@');
}

const HIDDEN = new Set(['level', 'time', 'pid', 'hostname', 'msg', 'err']);
const VISITORS: Readonly<Record<string, string>> = { members: 'people who sign in to the panel', public: 'everybody' };

/** Formats a line for people: day and time, level, message, then the other fields. */
function pretty(line: string): string {
  const entry = JSON.parse(line) as Record<string, unknown> & { level: number; time: number; msg?: string };
  // Swedish writes days and times as ISO 8601 does.
  const time = new Date(entry.time).toLocaleString('sv-SE');
  const shown = ([name, value]: [string, unknown]) =>
    `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`;
  const fields = Object.entries(entry).filter(([name]) => !HIDDEN.has(name));
  if (entry.msg === 'listening') return addresses(fields);
  const label = (pino.levels.labels[entry.level] ?? '').toUpperCase().padEnd(5);
  const stack = (entry['err'] as { readonly stack?: string } | undefined)?.stack;
  const words = [time, label, entry.msg ?? '', ...fields.map(shown)].join(' ');
  return stack === undefined ? `${words}\n` : `${words}\n${stack}\n`;
}

/** Formats the addresses for people: a line for each, and next to the catalogue who sees it. */
function addresses(fields: readonly (readonly [string, unknown])[]): string {
  const visitors = VISITORS[String(Object.fromEntries(fields)['catalogueFor'])];
  const lines = fields
    .filter(([name]) => name !== 'catalogueFor')
    .map(([name, value]) => `  ${name.padEnd(9)} ${String(value)}${name === 'catalogue' ? `, for ${visitors}` : ''}\n`);
  return lines.join('');
}
