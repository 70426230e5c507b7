import { pino, type DestinationStream, type Logger } from 'pino';
import type { Answered } from '../adapters/http/index.js';
import type { LogLevel } from './config.js';

const KEYS = /amk_[0-9A-Za-z]{36}/g;
/** The user and the password in a URL. */
const CREDENTIALS = /(\/\/)[^\s/@"]+@/g;

export interface Log extends Logger {
  /** Writes what is still on its way, before the process is gone. */
  flushed(): void;
}

/** In milliseconds: for how long lines are gathered. A write for each would be a sixth of what a request costs. */
const GATHERED_FOR = 50;
/** In characters: as many go out at once. In bytes: while nobody takes them, as many are kept, and those beyond are lost rather than the service. */
const LINES_AT_ONCE = 48 * 1024;
const MOST_KEPT = 64 * 1024 * 1024;

interface Lines extends DestinationStream {
  flushSync(): void;
}

/** Where lines go: a file descriptor or a file. */
export function logLines(dest: number | string): Lines {
  const file = pino.destination({ dest, mkdir: true, sync: false, maxLength: MOST_KEPT });
  let gathered = '';
  let timer: NodeJS.Timeout | undefined;
  const out = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (gathered !== '') file.write(gathered);
    gathered = '';
  };
  const write = (line: string): void => {
    gathered += line;
    if (gathered.length >= LINES_AT_ONCE) out();
    else timer ??= setTimeout(out, GATHERED_FOR);
  };
  const flushSync = (): void => {
    out();
    file.flushSync();
  };
  return { write, flushSync };
}

/** JSON lines, in which neither an API key nor one of these secrets stands, whatever the message of an error has in it. */
export function newLog(level: LogLevel, secrets: readonly string[] = [], destination?: DestinationStream): Log {
  const lines = destination ?? logLines(1);
  const planted = secrets.filter((secret) => secret !== '');
  const streamWrite = (line: string) =>
    planted
      .reduce((text, secret) => text.replaceAll(secret, '[redacted]'), line)
      .replaceAll(KEYS, 'amk_[redacted]')
      .replaceAll(CREDENTIALS, '$1[redacted]@');
  const log = pino({ level, hooks: { streamWrite } }, lines);
  return Object.assign(log, { flushed: () => 'flushSync' in lines && (lines as { flushSync(): void }).flushSync() });
}

/** One line a request. */
export function logAnswers(log: Logger): (answered: Answered) => void {
  return ({ requestId, method, route, status, duration, aborted, credentialId, traceparent }) => {
    log.info(
      {
        requestId,
        method,
        route,
        status,
        durationMs: Math.round(duration * 1000) / 1000,
        keyId: credentialId,
        traceparent,
        aborted: aborted || undefined,
      },
      'request',
    );
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
