import type { IncomingMessage } from 'node:http';
import type { TLSSocket } from 'node:tls';
import type { HttpMiddleware } from '../context.js';
import { socketOf } from './socket.js';

/** The headers of every response. Responses that a client may keep set their own Cache-Control. */
export const SAFE_HEADERS = { 'X-Content-Type-Options': 'nosniff', 'Cache-Control': 'no-store' } as const;

/** Tells browsers to use HTTPS only, for a year (RFC 6797). */
export const HSTS = { 'Strict-Transport-Security': 'max-age=31536000' } as const;

type Headers = Readonly<Record<string, string>>;

/** Sets the safe headers and more, and over HTTPS the one that browsers remember. */
export function securityHeaders(publicUrl: string, vary: string, more: Headers = {}): HttpMiddleware {
  const headers = { ...SAFE_HEADERS, ...more };
  const isHttps = publicUrl.startsWith('https:');
  return function setSecurityHeaders(ctx, next) {
    ctx.set(headers);
    ctx.vary(vary);
    if (isHttps || isEncrypted(ctx.req)) ctx.set(HSTS);
    return next();
  };
}

/** Returns whether a request came over TLS to this server. */
export function isEncrypted({ socket }: Pick<IncomingMessage, 'socket'>): boolean {
  return (socketOf({ socket }) as Partial<TLSSocket> | undefined)?.encrypted === true;
}
