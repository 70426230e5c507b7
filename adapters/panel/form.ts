import type { IncomingMessage } from 'node:http';
import bodyParser from 'koa-bodyparser';
import { Refusal } from './refusal.js';
import type { Context } from './visit.js';

/** In bytes. A description has 10,000 characters of up to four bytes, each sent as three (`%F0`), and half as much again may come too much and be told so. */
const LARGEST_FORM = 192 * 1024;

const TYPE = 'application/x-www-form-urlencoded';

/** Only bounds and gathers the bytes, which are ASCII; its own parser of forms makes trees of names. */
const options = { enableTypes: ['text'], extendTypes: { text: [TYPE] }, textLimit: `${LARGEST_FORM}b`, encoding: 'latin1' };
const gather = bodyParser(options);

/** The fields of a form, in which a line break is a line feed. */
export type Form = URLSearchParams;

/** The form in the body (URL standard, application/x-www-form-urlencoded). @throws Refusal when it is none, too large or broken. */
export async function readForm(ctx: Context): Promise<Form> {
  if (ctx.request.type !== TYPE || ctx.req.headers['content-encoding'] !== undefined) throw new Refusal(415);
  if (Number(ctx.req.headers['content-length'] ?? 0) > LARGEST_FORM) throw new Refusal(413);
  if (ctx.req.destroyed && !ctx.req.complete) throw new Refusal(400);
  await gather(ctx, async () => undefined);
  const { body } = ctx.request;
  return parse(typeof body === 'string' ? body : '');
}

/** Then the connection is closed, rather than read on only to keep it. */
export function hasLargeBodyUnread({ complete, headers }: IncomingMessage): boolean {
  if (complete) return false;
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > LARGEST_FORM;
}

const ASCII = /^[\x21-\x7E]*$/;

/** A browser sends nothing but ASCII whose escapes are UTF-8, and a parser would take other bytes for something else. */
function parse(text: string): Form {
  if (!ASCII.test(text) || decoded(text) === undefined) throw new Refusal(400);
  const form = new URLSearchParams();
  for (const [name, value] of new URLSearchParams(text)) form.append(name, value.replace(/\r\n?/g, '\n'));
  return form;
}

/** Undefined when the escapes are no UTF-8. */
function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

export function textOf(form: Form, name: string): string {
  return form.get(name) ?? '';
}

/** What names a form, so that sending it twice does once what it asks for; empty where it was sent without one of ours. */
export function nameOf(form: Form): string {
  return /^[0-9a-f-]{36}$/.exec(textOf(form, 'once'))?.[0] ?? '';
}
