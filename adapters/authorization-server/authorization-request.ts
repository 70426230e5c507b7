import type { Context } from '../edge/context.js';
import { bodyCollector } from '../edge/middleware/collect-body.js';
import { pathOf, queryOf } from '../edge/middleware/base-path.js';

const PATH = '/auth';
/** As many as an address may have. */
const MAX_BYTES = 8 * 1024;
const collect = bodyCollector(
  'application/x-www-form-urlencoded',
  MAX_BYTES,
  `The parameters of an authorization have at most ${MAX_BYTES} bytes.`,
);

/** What has a meaning together with the scope `openid` alone (OpenID Connect Core 1.0, section 3.1.2.1). */
const OF_OPENID = ['acr_values', 'claims', 'claims_locales', 'id_token_hint', 'max_age', 'nonce'];
/** This server asks the person each time, and the panel who it is. */
const ALWAYS_DONE = 'select_account';

/**
 * Returns the method and the address of a request for authorization as oidc-provider gets them; nothing for any other
 * request. A form is one, too (RFC 6749, section 3.1). oidc-provider takes forms with a session cookie of
 * `SameSite=None` alone, which browsers refuse over HTTP, and refuses parameters of OpenID Connect that are of no use.
 */
export async function authorizationIn(
  ctx: Context,
  path: string,
): Promise<{ readonly method?: string; readonly url?: string }> {
  if (pathOf(path) !== PATH || !['GET', 'HEAD', 'POST'].includes(ctx.method)) return {};
  const isForm = ctx.method === 'POST';
  const sent = isForm ? (await collect(ctx)).toString('utf8') : queryOf(path);
  return { url: `${PATH}?${inUse(new URLSearchParams(sent)).toString()}`, ...(isForm && { method: 'GET' }) };
}

function inUse(params: URLSearchParams): URLSearchParams {
  const isOfOpenId = params.getAll('scope').some((scope) => scope.split(' ').includes('openid'));
  if (!isOfOpenId) for (const name of OF_OPENID) params.delete(name);
  const [prompt, ...others] = params.getAll('prompt');
  if (prompt === undefined || others.length > 0) return params;
  const rest = prompt.split(' ').filter((value) => value !== ALWAYS_DONE);
  if (rest.length === 0) params.delete('prompt');
  else params.set('prompt', rest.join(' '));
  return params;
}
