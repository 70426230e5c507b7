import type { Context } from '../context.js';
import { isEncrypted } from './security-headers.js';

/**
 * Returns whether a page of this service sent a request, as the browser says, which no page can forge: by
 * `Sec-Fetch-Site` (W3C Fetch Metadata), else by `Origin`. Behind a proxy that rewrites `Host`, a browser without
 * `Sec-Fetch-Site` needs the public address.
 */
export function isSameOrigin(ctx: Context, publicUrl: string): boolean {
  const { origin, host = '', 'sec-fetch-site': site } = ctx.req.headers;
  if (site !== undefined) return site === 'same-origin';
  if (origin === undefined || !URL.canParse(origin)) return false;
  if (publicUrl !== '' && origin === new URL(publicUrl).origin) return true;
  const isOverTls = isEncrypted(ctx) || (publicUrl.startsWith('https:') && isOf(origin, new URL(publicUrl).host));
  return isOf(origin, host) && (!isOverTls || origin.startsWith('https:'));
}

/** Ignores the scheme: a proxy that ends TLS uses another scheme between itself and the service. */
function isOf(origin: string, host: string): boolean {
  return new URL(origin).host === normalHost(origin, host);
}

/** Returns a host as URLs write it, without the scheme's default port. */
function normalHost(origin: string, host: string): string | undefined {
  const address = `${new URL(origin).protocol}//${host}`;
  return URL.canParse(address) ? new URL(address).host : undefined;
}
