import type { CompletedRequest } from '../../adapters/api/index.js';
import type { ExposedKey } from '../../adapters/n8n/index.js';
import { safeCall } from '../../application/safe-call.js';

/** Where the service writes: a log like that of pino or Fastify, or `console`. */
export interface ServiceLog {
  /** Writes a line that is of use only to those who look for something. */
  debug(fields: object, message: string): void;
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
    debug: (fields, message) => safeCall(() => log.debug(fields, message)),
    info: (fields, message) => safeCall(() => log.info(fields, message)),
    warn: (fields, message) => safeCall(() => log.warn(fields, message)),
    error: (fields, message) => safeCall(() => log.error(fields, message)),
  };
}

/** The routes of files that a page loads. */
const ASSET = /\.(css|js|svg|png|ico)$/;

/** Returns a function that writes one line for each request; those for files of pages at the level debug. */
export function requestLogger(log: ServiceLog): (request: CompletedRequest) => void {
  return ({ requestId, method, route, status, problem, reason, traceparent, durationMs, credentialId, aborted }) => {
    const rounded = Math.round(durationMs * 1000) / 1000;
    const end = { durationMs: rounded, keyId: credentialId, aborted: aborted || undefined };
    const level = ASSET.test(route) && status < 400 ? 'debug' : 'info';
    log[level]({ requestId, method, route, status, problem, reason, traceparent, ...end }, 'request');
  };
}

/** Returns a function that warns of a key that many people can see, and that allows more than it should. */
export function exposedKeyLogger(log: ServiceLog): (key: ExposedKey) => void {
  return ({ requestId, credentialId }) =>
    log.warn(
      { requestId, keyId: credentialId },
      'a key in a path of /n8n was not taken: it has other scopes than library:read, and all users of that n8n can ' +
        'see it; revoke it',
    );
}
