import type { Middleware } from 'koa';
import { hasUnreadLargeBody } from './form.js';
import type { Context, Panel, Visit } from './visit.js';

/**
 * Only the panel's own files, no script inside a page, no frame around it. The referrer stays within the panel's host,
 * since addresses contain tokens. With `no-referrer`, browsers would send `Origin: null` with the panel's own forms
 * (Fetch standard, "append a request Origin header").
 */
export const HEADERS = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; " +
    "frame-ancestors 'none'",
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'no-store',
  Vary: 'Cookie',
};

/** The status of a request whose browser left before the response; as in nginx. */
const BROWSER_GONE = 499;

/** Gives each request an id, sets the headers of every response, and reports the request when it is completed. */
export function answers({ requestIdOf, onAnswer }: Panel): Middleware<Visit> {
  return async (ctx, next) => {
    const began = performance.now();
    ctx.res.statusCode = BROWSER_GONE;
    ctx.state.requestId = requestIdOf(ctx.req);
    ctx.set({ ...HEADERS, 'X-Request-Id': ctx.state.requestId });
    ctx.res.once('close', () => onAnswer(answered(ctx, performance.now() - began), ctx.req));
    await next();
    if (hasUnreadLargeBody(ctx.req)) ctx.set('Connection', 'close');
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

/** Redirects after a form, to a page that is safe to reload. */
export function seeOther(ctx: Context, address: string): void {
  ctx.status = 303;
  ctx.set('Location', address);
}

export function html(ctx: Context, text: string, status = 200): void {
  ctx.status = status;
  ctx.type = 'text/html; charset=utf-8';
  ctx.body = text;
}
