import type { CompletedRequest } from '../../adapters/http/index.js';
import { safeCall } from '../../application/safe-call.js';

/** Where the service writes: a log like that of pino or Fastify, or `console`. */
export interface ServiceLog {
  /** Writes a line that only a search for a fault needs; nothing is written where the log has no such level. */
  debug?(fields: object, message: string): void;
  /** Writes a line about what happens. */
  info(fields: object, message: string): void;
  /** Writes a line about what an operator should look at. */
  warn(fields: object, message: string): void;
  /** Writes a line about a failure. */
  error(fields: object, message: string): void;
}

/** Wraps the log of a host: its failures are ignored. */
export function safeLog(log: ServiceLog): ServiceLog {
  return {
    debug: (fields, message) => safeCall(() => log.debug?.(fields, message)),
    info: (fields, message) => safeCall(() => log.info(fields, message)),
    warn: (fields, message) => safeCall(() => log.warn(fields, message)),
    error: (fields, message) => safeCall(() => log.error(fields, message)),
  };
}

/** Returns a function that writes one line for each request. */
export function requestLogger(log: ServiceLog): (request: CompletedRequest) => void {
  return ({ requestId, method, route, status, problem, reason, traceparent, durationMs, credentialId, aborted }) => {
    const rounded = Math.round(durationMs * 1000) / 1000;
    const end = { durationMs: rounded, keyId: credentialId, aborted: aborted || undefined };
    log.info({ requestId, method, route, status, problem, reason, traceparent, ...end }, 'request');
  };
}
