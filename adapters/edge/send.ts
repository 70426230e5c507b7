import type { Context } from './context.js';

export const JSON_TYPE = 'application/json; charset=utf-8';
export const HTML_TYPE = 'text/html; charset=utf-8';

/** Sends a body with status 200, or another. */
export function send(ctx: Context, type: string, body: string | Buffer, status = 200): void {
  ctx.status = status;
  ctx.set('Content-Type', type);
  ctx.body = body;
}

/** Leads to the one address of a page, with the same query. */
export function movedTo(ctx: Context, address: string): void {
  ctx.status = 308;
  ctx.set('Location', `${address}${ctx.search}`);
}

/** Leads to another page, after a form to one that is safe to reload. */
export function seeOther(ctx: Context, address: string): void {
  ctx.status = 303;
  ctx.set('Location', address);
}
