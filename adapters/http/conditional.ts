import { createHash } from 'node:crypto';
import type { Context } from './exchange.js';
import { Problem } from './problems.js';

export const JSON_TYPE = 'application/json; charset=utf-8';

const ENTITY_TAGS = /(?:W\/)?"[^"]*"/g;

/** A body and what is said of it. */
export interface Content {
  readonly body: string | Buffer;
  /** In bytes, if it is known. */
  readonly length?: number;
  readonly type: string;
  readonly etag: string;
  readonly caching: string;
}

/** A strong entity tag: another one whenever the body is another. */
export function entityTag(body: string | Buffer): string {
  return `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`;
}

/** Answers with the content, or 304 when the client has it already (RFC 9110, section 13). */
export function answerContent(ctx: Context, content: Content): void {
  const { etag, caching } = content;
  const { 'if-match': ifMatch, 'if-none-match': ifNoneMatch } = ctx.req.headers;
  if (ifMatch !== undefined && !matches(ifMatch, etag))
    throw new Problem('precondition-failed', 'If-Match names no current entity tag of this resource.');
  const { reply } = ctx.state;
  reply.headers['ETag'] = etag;
  reply.headers['Cache-Control'] = caching;
  if (ifNoneMatch !== undefined && matches(ifNoneMatch.replaceAll('W/"', '"'), etag)) reply.status = 304;
  else answerWith(ctx, content);
}

/** Answers 200 with a body. */
export function answerWith({ state: { reply } }: Context, { type, body, length }: Pick<Content, 'type' | 'body' | 'length'>): void {
  reply.status = 200;
  reply.headers['Content-Type'] = type;
  reply.body = body;
  reply.length = length;
}

/** By strong comparison: a weak tag never matches. */
function matches(field: string, etag: string): boolean {
  return field === '*' || Array.from(field.matchAll(ENTITY_TAGS), ([tag]) => tag).includes(etag);
}
