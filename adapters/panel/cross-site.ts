import { Refusal } from './refusal.js';
import { isEncrypted, type Context, type Panel } from './visit.js';

/**
 * Refuses a form that was sent from a page of another site. Every browser says in `Origin` which page sends a form, and no page can say otherwise;
 * where it says `null` or nothing, `Sec-Fetch-Site` may. This alone guards the forms for signing in: before there is a session there
 * is nothing that a token could be bound to but another cookie, which would prove no more.
 */
export function refuseCrossSite(ctx: Context, { publicUrl }: Pick<Panel, 'publicUrl'>): void {
  const { origin, host = '', 'sec-fetch-site': site } = ctx.req.headers;
  if (site !== undefined && site !== 'same-origin') throw new Refusal(403);
  if (origin === undefined || origin === 'null') {
    if (site !== 'same-origin') throw new Refusal(403);
    return;
  }
  if (publicUrl !== '' && origin === new URL(publicUrl).origin) return;
  const isOverTls = isEncrypted(ctx) || (publicUrl.startsWith('https:') && isOf(origin, new URL(publicUrl).host));
  if (!isOf(origin, host) || (isOverTls && !origin.startsWith('https:'))) throw new Refusal(403);
}

/** Whatever the scheme: a proxy that ends TLS in front of us speaks another one to us. */
function isOf(origin: string, host: string): boolean {
  return URL.canParse(origin) && new URL(origin).host === hostOf(origin, host);
}

/** In the form in which URLs have it, without a port that is the scheme's own. */
function hostOf(origin: string, host: string): string | undefined {
  const address = `${new URL(origin).protocol}//${host}`;
  return URL.canParse(address) ? new URL(address).host : undefined;
}
