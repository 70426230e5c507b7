import { crossSite } from './page-errors.js';
import { isEncrypted } from '../http/middleware/security-headers.js';
import type { Context, Panel } from './visit.js';

/**
 * Refuses a form that another site sent. Every browser names in `Origin` the site of the page that sends a form, and no
 * page can forge it. If `Origin` is `null` or missing, `Sec-Fetch-Site` decides. Nothing else protects the sign-in
 * forms: before there is a session, a token could only be bound to another cookie, which would prove no more.
 */
export function refuseCrossSite(ctx: Context, { publicUrl }: Pick<Panel, 'publicUrl'>): void {
  const { origin, host = '', 'sec-fetch-site': site } = ctx.req.headers;
  if (site !== undefined && site !== 'same-origin') throw crossSite();
  if (origin === undefined || origin === 'null') {
    if (site !== 'same-origin') throw crossSite();
    return;
  }
  if (publicUrl !== '' && origin === new URL(publicUrl).origin) return;
  const isOverTls = isEncrypted(ctx) || (publicUrl.startsWith('https:') && isOf(origin, new URL(publicUrl).host));
  if (!isOf(origin, host) || (isOverTls && !origin.startsWith('https:'))) throw crossSite();
}

/** Ignores the scheme: a proxy that ends TLS uses another scheme between itself and the service. */
function isOf(origin: string, host: string): boolean {
  return URL.canParse(origin) && new URL(origin).host === normalHost(origin, host);
}

/** Returns a host as URLs write it, without the scheme's default port. */
function normalHost(origin: string, host: string): string | undefined {
  const address = `${new URL(origin).protocol}//${host}`;
  return URL.canParse(address) ? new URL(address).host : undefined;
}
