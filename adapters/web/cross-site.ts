import type { Context } from '../edge/context.js';
import { isSameOrigin } from '../edge/middleware/same-origin.js';
import { Problem } from '../edge/problems/problem.js';
import { isSecure, type Sessions } from './signed-in.js';
import { FORM_TEXTS } from './views/texts.js';

type Addresses = Pick<Sessions, 'publicUrl'>;

/**
 * Refuses a form that another site sent. Nothing else protects the sign-in forms: before there is a session, a token
 * could only be bound to another cookie, which would prove no more.
 */
export function refuseCrossSite(ctx: Context, addresses: Addresses): void {
  if (!isSameOrigin(ctx, addresses.publicUrl)) throw crossSite(ctx, addresses);
}

/**
 * Refuses a sign-in at an address where the browser would not keep the cookie, which is for encrypted connections: the
 * person would be asked to sign in again and again.
 */
export function refuseWithoutTls(ctx: Context, addresses: Addresses): void {
  const { origin = '' } = ctx.req.headers;
  if (!isSecure(ctx, addresses) || !origin.startsWith('http:')) return;
  const reason = `the form was sent from ${origin}, and PUBLIC_URL is ${addresses.publicUrl}`;
  throw new Problem('cross-site-request', FORM_TEXTS.elsewhere(`${addresses.publicUrl}/panel`), { reason });
}

/** Names what a proxy may have changed: most forms that are refused wrongly come through one that rewrites `Host`. */
function crossSite({ req }: Context, { publicUrl }: Addresses): Problem {
  const { origin = 'nowhere', host = 'no host' } = req.headers;
  const where = publicUrl === '' ? 'is not set' : `is ${publicUrl}`;
  const reason = `Origin is ${origin}, Host is ${host}, and PUBLIC_URL ${where}`;
  return new Problem('cross-site-request', FORM_TEXTS.crossSite(reason), { reason });
}
