import type { IncomingMessage, ServerResponse } from 'node:http';
import type { OnAnswer } from './exchange.js';
import { Problem, problemBody, PROBLEMS } from './problems.js';
import { requestNames } from './request-id.js';
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
    const headers = [
      ...['Content-Type', 'application/problem+json', 'Content-Length', String(Buffer.byteLength(body)), 'Cache-Control', 'no-store'],
      ...['Retry-After', '1', 'Vary', 'Authorization', 'X-Content-Type-Options', 'nosniff', 'X-Request-Id', requestId],
      ...(hasLargeBodyUnread(request) ? ['Connection', 'close'] : []),
    ];
    response.writeHead(status, headers);
    response.end(body);
    onAnswer({ requestId, method: request.method ?? '', route: '', status, duration: 0, aborted: false });
  };
}
