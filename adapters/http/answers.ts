import type { IncomingMessage } from 'node:http';
import type { Answered, Context, Exchange, Middleware, OnAnswer } from './exchange.js';

/** Of version 00 these fields are all; later ones may have more behind them (W3C Trace Context, section 4.3). */
const TRACEPARENT = /^(?!ff|00.{54})([0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2})(?:$|-)/;

/** Of a request that had no answer, since its client was gone; as nginx has it. */
export const CLIENT_GONE = 499;

/** Tells of every request when it is over, also of one that the server answered without the application. */
export function answers(onAnswer: OnAnswer): Middleware<Exchange> {
  return (ctx, next) => {
    const began = performance.now();
    ctx.res.statusCode = CLIENT_GONE;
    const tell = () => onAnswer(answered(ctx, performance.now() - began));
    if (ctx.res.destroyed) tell();
    else ctx.res.on('close', tell);
    return next();
  };
}

function answered({ req, res, state }: Context, duration: number): Answered {
  return {
    requestId: state.requestId,
    method: req.method ?? '',
    route: state.route ?? '',
    status: res.statusCode,
    duration,
    aborted: !res.writableFinished && (res.headersSent || res.statusCode === CLIENT_GONE),
    credentialId: (state.caller as Exchange['caller'] | undefined)?.credentialId,
    traceparent: traceparentOf(req),
  };
}

/** What the client sent (W3C Trace Context), if it is well-formed; of a later version the fields that are known. */
export function traceparentOf({ headers }: IncomingMessage): string | undefined {
  const sent = headers['traceparent'];
  return typeof sent === 'string' ? TRACEPARENT.exec(sent)?.[1] : undefined;
}
