import type { Middleware } from 'koa';
import { hasLargeBodyUnread } from './form.js';
import type { Context, Panel, Visit } from './visit.js';

/**
 * Nothing but the panel's own files, no script in a page, no frame around it. The referrer stays within the panel's host, since pages have tokens in
 * their addresses; `no-referrer` would have browsers send `Origin: null` with our own forms (Fetch standard, "append a request Origin header").
 */
export const HEADERS = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'no-store',
  Vary: 'Cookie',
};

/** Of a request that had no answer, since its browser was gone; as nginx has it. */
const BROWSER_GONE = 499;

/** Names each request, puts on its answer what is on every answer, and tells of it when it is over. */
export function answers({ requestIdOf, onAnswer }: Panel): Middleware<Visit> {
  return async (ctx, next) => {
    const began = performance.now();
    ctx.res.statusCode = BROWSER_GONE;
    ctx.state.requestId = requestIdOf(ctx.req);
    ctx.set({ ...HEADERS, 'X-Request-Id': ctx.state.requestId });
    ctx.res.once('close', () => onAnswer(answered(ctx, performance.now() - began), ctx.req));
    await next();
    if (hasLargeBodyUnread(ctx.req)) ctx.set('Connection', 'close');
  };
}

function answered({ req, res, state }: Context, duration: number) {
  return {
    requestId: state.requestId,
    method: req.method ?? '',
    route: state.route ?? '',
    status: res.statusCode,
    duration,
    aborted: !res.writableFinished,
    developerId: state.developerId,
  };
}

/** After a form: the browser goes on to a page that it may load as often as it likes. */
export function seeOther(ctx: Context, address: string): void {
  ctx.status = 303;
  ctx.set('Location', address);
}

export function html(ctx: Context, text: string, status = 200): void {
  ctx.status = status;
  ctx.type = 'text/html; charset=utf-8';
  ctx.body = text;
}
