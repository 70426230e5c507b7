import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { UNKNOWN_ROUTE, type Context, type HttpMiddleware, type RequestState } from '../context.js';
import type { CompletedRequest, OnRequestCompleted } from '../host.js';

const LEGAL_ID = /^[A-Za-z0-9-]{1,64}$/;

/** Version 00 has exactly these fields; later versions may have more behind them (W3C Trace Context, section 4.3). */
const TRACEPARENT = /^(?!ff|00.{54})([0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2})(?:$|-)/;

/** The status of a request whose client was gone before there was an answer, as in nginx's log. */
const CLIENT_GONE = 499;

/** Gives each request its id, and reports each request when it is over. */
export function requestLog(onRequestCompleted: OnRequestCompleted): HttpMiddleware {
  const requestIdOf = requestIds();
  return function logRequest(ctx, next) {
    const began = performance.now();
    ctx.state.requestId = requestIdOf(ctx.req);
    ctx.set('X-Request-Id', ctx.state.requestId);
    const complete = () => onRequestCompleted(completed(ctx, performance.now() - began));
    if (ctx.res.destroyed) complete();
    else ctx.res.once('close', complete);
    return next();
  };
}

function completed({ req, res, state }: Context, durationMs: number): CompletedRequest {
  return {
    requestId: state.requestId,
    method: req.method ?? '',
    route: state.route ?? UNKNOWN_ROUTE,
    status: res.headersSent ? res.statusCode : CLIENT_GONE,
    durationMs,
    aborted: !res.writableFinished,
    problem: state.problem,
    reason: state.reason,
    credentialId: (state as Partial<RequestState>).caller?.credentialId ?? state.clientId,
    traceparent: traceparentOf(req),
  };
}

/**
 * Returns the trace context that the client sent, if it is well-formed; of a later version the fields that are known.
 */
function traceparentOf({ headers }: IncomingMessage): string | undefined {
  const sent = headers['traceparent'];
  return typeof sent === 'string' ? TRACEPARENT.exec(sent)?.[1] : undefined;
}

/**
 * Returns a function that names requests: by a legal X-Request-Id of the client, else by a random prefix and a count.
 */
function requestIds(): (request: IncomingMessage) => string {
  const prefix = randomBytes(9).toString('hex');
  let count = 0;
  return ({ headers }) => {
    const sent = headers['x-request-id'];
    return typeof sent === 'string' && LEGAL_ID.test(sent) ? sent : `${prefix}-${(count += 1)}`;
  };
}
