import { pino, type DestinationStream, type Logger } from 'pino';
import type { LogLevel } from './config.js';

const KEYS = /amk_[0-9A-Za-z]{36}/g;

/** JSON lines, in which no API key stands, whatever the message of an error has in it. */
export function newLog(level: LogLevel, destination: DestinationStream = pino.destination(1)): Logger {
  return pino({ level, hooks: { streamWrite: (line) => line.replaceAll(KEYS, 'amk_[redacted]') } }, destination);
}
