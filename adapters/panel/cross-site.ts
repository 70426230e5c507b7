import type { Context } from '../edge/context.js';
import { Problem } from '../edge/problems/problem.js';
import { isSecure } from '../web/signed-in.js';
import { isEncrypted } from '../edge/middleware/security-headers.js';
import type { Panel } from './panel.js';
import { TEXTS } from './texts/texts.js';

type Addresses = Pick<Panel, 'publicUrl'>;

/**
 * Refuses a form that another site sent. Every browser names in `Origin` the site of the page that sends a form, and no
 * page can forge it. If `Origin` is `null` or missing, `Sec-Fetch-Site` decides. Nothing else protects the sign-in
 * forms: before there is a session, a token could only be bound to another cookie, which would prove no more.
 */
export function refuseCrossSite(ctx: Context, addresses: Addresses): void {
  if (!isFromOurs(ctx, addresses)) throw crossSite(ctx, addresses);
}

function isFromOurs(ctx: Context, { publicUrl }: Addresses): boolean {
  const { origin, host = '', 'sec-fetch-site': site } = ctx.req.headers;
  if (site !== undefined && site !== 'same-origin') return false;
  if (origin === undefined || origin === 'null') return site === 'same-origin';
  if (publicUrl !== '' && origin === new URL(publicUrl).origin) return true;
  const isOverTls = isEncrypted(ctx) || (publicUrl.startsWith('https:') && isOf(origin, new URL(publicUrl).host));
  return isOf(origin, host) && (!isOverTls || origin.startsWith('https:'));
}

/**
 * Refuses a sign-in at an address where the browser would not keep the cookie, which is for encrypted connections: the
 * person would be asked to sign in again and again.
 */
export function refuseWithoutTls(ctx: Context, addresses: Addresses): void {
  const { origin = '' } = ctx.req.headers;
  if (!isSecure(ctx, addresses) || !origin.startsWith('http:')) return;
  const reason = `the form was sent from ${origin}, and PUBLIC_URL is ${addresses.publicUrl}`;
  throw new Problem('cross-site-request', TEXTS.signIn.elsewhere(`${addresses.publicUrl}/panel`), { reason });
}

/** Names what a proxy may have changed: most forms that are refused wrongly come through one that rewrites `Host`. */
function crossSite({ req }: Context, { publicUrl }: Addresses): Problem {
  const { origin = 'nowhere', host = 'no host' } = req.headers;
  const where = publicUrl === '' ? 'is not set' : `is ${publicUrl}`;
  const reason = `Origin is ${origin}, Host is ${host}, and PUBLIC_URL ${where}`;
  return new Problem('cross-site-request', TEXTS.crossSite(reason), { reason });
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
