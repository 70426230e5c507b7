import type { ServerResponse } from 'node:http';
import type { Exchange, Middleware, Reply } from './exchange.js';
import { requestNames } from './request-id.js';
import { safeHeaders } from './safe-headers.js';

/** Names the request, and writes what those behind it have made of its reply, with the headers that are on every answer. */
export function replies(): Middleware<Exchange> {
  const nameOf = requestNames();
  return async (ctx, next) => {
    const { req, res, state } = ctx;
    const requestId = nameOf(req);
    const reply: Reply = { status: 404, headers: safeHeaders(requestId), body: '' };
    state.requestId = requestId;
    state.reply = reply;
    ctx.respond = false;
    await next();
    if (!ctx.writable) return;
    const isBare = reply.status === 204 || reply.status === 304;
    if (!isBare) reply.headers['Content-Length'] = String(reply.length ?? Buffer.byteLength(reply.body));
    res.writeHead(reply.status, reply.headers);
    if (isBare || req.method === 'HEAD' || reply.body === '') res.end();
    else send(res, reply.body);
  };
}

/** To the socket in one piece. `end` with a body would add an empty one, and two pieces take it longer than one. */
export function send(response: ServerResponse, body: string | Buffer): void {
  response.cork();
  response.write(body);
  response.uncork();
  response.end();
}
