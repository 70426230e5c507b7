import bodyParser from 'koa-bodyparser';
import { requestKey, type IdempotencyKey, IDEMPOTENCY_KEY_RULE } from '../../domain/idempotency.js';
import { DomainError } from '../../domain/errors.js';
import type { Context } from './exchange.js';
import { Problem } from './problems.js';
import { remembering } from './remembering.js';
import { LARGEST_BODY } from './wire.js';

/** Only bounds and gathers the bytes; it would take broken UTF-8 and an empty body for JSON. */
const options = {
  enableTypes: ['text'],
  extendTypes: { text: ['application/json'] },
  textLimit: `${LARGEST_BODY}b`,
  encoding: 'binary',
};
const gather = bodyParser(options);

/** Each charset that a Content-Type names; where there are two, somebody reads the other one. */
const CHARSETS = /;[ \t]*charset[ \t]*=[ \t]*"?([^";]*)/gi;

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Refuses a body by its headers, before a byte of it is read. */
export function checkBodyHeaders(ctx: Context): IdempotencyKey | undefined {
  if (!isJson(ctx.req.headers['content-type'] ?? ''))
    throw new Problem('unsupported-media-type', 'The body must be application/json in UTF-8.');
  if (ctx.req.headers['content-encoding'] !== undefined)
    throw new Problem('unsupported-content-encoding', 'The body must be sent without Content-Encoding.');
  const key = readIdempotencyKey(ctx);
  if (Number(ctx.req.headers['content-length'] ?? 0) > LARGEST_BODY)
    throw new Problem('payload-too-large', 'The body must be at most 64 KiB.');
  return key;
}

const isJson = remembering((contentType) => {
  const [type = ''] = contentType.split(';', 1);
  const charsets = Array.from(contentType.matchAll(CHARSETS), ([, charset = '']) => charset.trim());
  return type.trim().toLowerCase() === 'application/json' && charsets.every((charset) => /^utf-8$/i.test(charset));
});

/** The JSON value of the body (RFC 8259). Of members with the same name the last counts. */
export async function readJson(ctx: Context): Promise<unknown> {
  if (ctx.req.destroyed && !ctx.req.readableEnded) throw bodyEndedEarly();
  try {
    await gather(ctx, async () => undefined);
  } catch (error) {
    throw problemOf(error) ?? error;
  }
  const { body } = ctx.request;
  const bytes = Buffer.from(typeof body === 'string' ? body : '', 'latin1');
  try {
    return JSON.parse(UTF8.decode(bytes)) as unknown;
  } catch {
    throw new Problem('malformed-json', 'The body must be a JSON text in UTF-8, without a byte order mark.');
  }
}

/** Of what koa-bodyparser throws (http-errors of raw-body) only `type` is read: on the error hangs the raw body. */
function problemOf(error: unknown): Problem | undefined {
  const type = error instanceof Error && 'type' in error ? error.type : undefined;
  if (type === 'entity.too.large') return new Problem('payload-too-large', 'The body must be at most 64 KiB.');
  if (type === 'request.aborted' || type === 'request.size.invalid') return bodyEndedEarly();
  return undefined;
}

/** What the client learns of it, if it is there to learn anything. */
function bodyEndedEarly(): Problem {
  return new Problem('malformed-request', 'The body ended before its declared length.');
}

/** Bare, or a string of RFC 8941, as in the IETF draft "The Idempotency-Key HTTP Header Field". Of two Node makes one with a space in it, which no key has. */
function readIdempotencyKey(ctx: Context): IdempotencyKey | undefined {
  const field = ctx.req.headers['idempotency-key']?.toString();
  if (field === undefined) return undefined;
  const invalid = new Problem('idempotency-key-invalid', `Idempotency-Key ${IDEMPOTENCY_KEY_RULE}, and be sent once.`);
  try {
    return requestKey(/^"(.*)"$/.exec(field)?.[1] ?? field);
  } catch (error) {
    throw error instanceof DomainError ? invalid : error;
  }
}
