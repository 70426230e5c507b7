import { createHash } from 'node:crypto';
import type { Context } from './context.js';
import { Problem } from './problems/problem.js';
import { JSON_TYPE, send } from './send.js';

const ENTITY_TAGS = /(?:W\/)?"[^"]*"/g;

/** A body and its headers. */
export interface Content {
  readonly body: string | Buffer;
  readonly type: string;
  readonly etag: string;
  readonly caching: string;
}

/** Returns a strong entity tag, which differs whenever the body differs. */
export function entityTag(body: string | Buffer): string {
  return `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`;
}

/** Returns the value as JSON, which the client may keep and revalidate. */
export function jsonContent(value: unknown): Content {
  const body = JSON.stringify(value);
  return { body, type: JSON_TYPE, etag: entityTag(body), caching: 'private, no-cache' };
}

/** Sends the content, or 304 when the client has it already. @throws Problem `precondition-failed`. */
export function sendContent(ctx: Context, { body, type, ...validators }: Content): void {
  if (isWanted(ctx, validators)) send(ctx, type, body);
}

/**
 * Returns whether the client needs the body; otherwise it gets 304, since it has it already (RFC 9110, section 13).
 * @throws Problem `precondition-failed`.
 */
export function isWanted(ctx: Context, { etag, caching }: Pick<Content, 'etag' | 'caching'>): boolean {
  const { 'if-match': ifMatch, 'if-none-match': ifNoneMatch } = ctx.req.headers;
  if (ifMatch !== undefined && !matches(ifMatch, etag))
    throw new Problem('precondition-failed', 'If-Match does not contain the current entity tag.');
  ctx.set('ETag', etag);
  ctx.set('Cache-Control', caching);
  if (ifNoneMatch === undefined || !matches(ifNoneMatch.replaceAll('W/"', '"'), etag)) return true;
  ctx.status = 304;
  return false;
}

/** Compares strongly: a weak tag never matches. */
function matches(field: string, etag: string): boolean {
  return field === '*' || Array.from(field.matchAll(ENTITY_TAGS), ([tag]) => tag).includes(etag);
}
