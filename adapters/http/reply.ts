import type { Exchange, Middleware, Reply } from './exchange.js';
import { requestNames } from './request-id.js';

/** Names the request, and writes what those behind it have made of its reply, with the headers that are on every answer. */
export function replies(): Middleware<Exchange> {
  const nameOf = requestNames();
  return async (ctx, next) => {
    const { req, res, state } = ctx;
    const requestId = nameOf(req);
    const headers = {
      'X-Request-Id': requestId,
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'no-store',
      Vary: 'Authorization',
    };
    const reply: Reply = { status: 404, headers, body: '' };
    state.requestId = requestId;
    state.reply = reply;
    ctx.respond = false;
    await next();
    const isBare = reply.status === 204 || reply.status === 304;
    if (!isBare) reply.headers['Content-Length'] = String(reply.length ?? Buffer.byteLength(reply.body));
    res.writeHead(reply.status, reply.headers);
    res.end(isBare || req.method === 'HEAD' ? undefined : reply.body);
  };
}
