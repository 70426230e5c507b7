import type { IncomingMessage, ServerResponse } from 'node:http';
import { CLIENT_GONE } from './answers.js';
import { RETRY_AFTER_SECONDS } from './errors.js';
import type { OnAnswer } from './exchange.js';
import { Problem, problemBody, PROBLEMS } from './problems.js';
import { send } from './reply.js';
import { requestNames } from './request-id.js';
import { safeHeaders } from './safe-headers.js';
import { hasLargeBodyUnread } from './wire.js';

const OVERLOADED = new Problem('overloaded', 'More requests came than can be served. Try again later.');
const { status } = PROBLEMS[OVERLOADED.slug];

/** Answers without doing anything: this must cost next to nothing, or shedding is itself the load. */
export function shedding(mountPath: string, onAnswer: OnAnswer): (request: IncomingMessage, response: ServerResponse) => void {
  const nameOf = requestNames();
  const [before = '', after = ''] = problemBody(OVERLOADED, mountPath, '?').split('?');
  return (request, response) => {
    const requestId = nameOf(request);
    const body = before + requestId + after;
    const headers = safeHeaders(requestId);
    headers['Content-Type'] = 'application/problem+json';
    headers['Content-Length'] = String(Buffer.byteLength(body));
    headers['Retry-After'] = RETRY_AFTER_SECONDS[OVERLOADED.slug] ?? '1';
    if (hasLargeBodyUnread(request)) headers['Connection'] = 'close';
    response.writeHead(status, headers);
    send(response, body);
    onAnswer({ requestId, method: request.method ?? '', route: '', status, duration: 0, aborted: false });
  };
}

/** Tells of those who waited for their turn and were gone when it came. */
export function abandoned(onAnswer: OnAnswer): (request: IncomingMessage, waited: number) => void {
  const nameOf = requestNames();
  return (request, waited) =>
    onAnswer({ requestId: nameOf(request), method: request.method ?? '', route: '', status: CLIENT_GONE, duration: waited, aborted: true });
}
