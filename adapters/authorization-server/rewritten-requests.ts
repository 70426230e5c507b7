import type { Context } from '../edge/context.js';
import { pathOf, queryOf } from '../edge/middleware/base-path.js';
import { bodyCollector } from '../edge/middleware/collect-body.js';

const FORM = 'application/x-www-form-urlencoded';
/** As many bytes as an address may have. */
const MAX_PARAMETER_BYTES = 8 * 1024;
/** As many bytes as oidc-provider takes. */
const MAX_FORM_BYTES = 56 * 1024;
const collectParameters = bodyCollector(
  FORM,
  MAX_PARAMETER_BYTES,
  `The parameters of an authorization have at most ${MAX_PARAMETER_BYTES} bytes.`,
);
const collectForm = bodyCollector(FORM, MAX_FORM_BYTES, `A form has at most ${MAX_FORM_BYTES} bytes.`);

/** What has a meaning together with the scope `openid` alone (OpenID Connect Core 1.0, section 3.1.2.1). */
const OF_OPENID = ['acr_values', 'claims', 'claims_locales', 'id_token_hint', 'max_age', 'nonce'];
/** This server asks the person each time, and the panel who it is. */
const ALWAYS_DONE = 'select_account';

/** A request as oidc-provider gets it, where that is not what was sent. */
interface Rewritten {
  readonly method?: string;
  readonly url?: string;
  readonly body?: object;
}

/** Returns what oidc-provider gets of a request to a path behind `start`. */
export async function rewritten(
  ctx: Context,
  path: string,
  start: string,
): Promise<Rewritten & { readonly originalUrl: string }> {
  const { url = path, ...changes } = (await authorizationIn(ctx, path)) ?? (await publicClientIn(ctx)) ?? {};
  return { ...changes, url: withoutCode(url), originalUrl: start + url };
}

/**
 * Leaves out the code of a device, which our page puts into its form. In place of that page, oidc-provider would show
 * one that only a script sends on.
 */
function withoutCode(path: string): string {
  return path.startsWith('/device?') ? '/device' : path;
}

/**
 * Returns a request for authorization as one by an address, without parameters that are of no use and would be refused;
 * undefined for any other request. A form is one, too (RFC 6749, section 3.1): oidc-provider would need a session
 * cookie of `SameSite=None`, which browsers refuse over HTTP.
 */
async function authorizationIn(ctx: Context, path: string): Promise<Rewritten | undefined> {
  if (pathOf(path) !== '/auth' || !['GET', 'HEAD', 'POST'].includes(ctx.method)) return undefined;
  const isForm = ctx.method === 'POST';
  const sent = isForm ? (await collectParameters(ctx)).toString('utf8') : queryOf(path);
  return { url: `/auth?${inUse(new URLSearchParams(sent)).toString()}`, ...(isForm && { method: 'GET' }) };
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

/**
 * Returns the form of a client without a secret that sends its id as the user name of HTTP Basic, as libraries do that
 * know one way alone, with the id in it, and takes the header away; undefined for any other request.
 */
async function publicClientIn(ctx: Context): Promise<Rewritten | undefined> {
  const { headers } = ctx.req;
  const id = idWithoutSecret(headers.authorization ?? '');
  if (id === undefined || ctx.method !== 'POST' || !ctx.is(FORM)) return undefined;
  const form = new URLSearchParams((await collectForm(ctx)).toString('utf8'));
  if (form.get('client_id') !== id) form.append('client_id', id);
  delete headers.authorization;
  const names = Array.from(new Set(form.keys()));
  return { body: Object.fromEntries(names.map((name) => [name, oneOrAll(form.getAll(name))])) };
}

function idWithoutSecret(authorization: string): string | undefined {
  const [, encoded = ''] = /^basic +([A-Za-z0-9+/]+={0,2})$/i.exec(authorization) ?? [];
  const [, id] = /^([^:]+):$/.exec(Buffer.from(encoded, 'base64').toString('utf8')) ?? [];
  return id === undefined ? undefined : (new URLSearchParams(`id=${id}`).get('id') ?? undefined);
}

function oneOrAll(values: readonly string[]): string | readonly string[] {
  const [first = ''] = values;
  return values.length > 1 ? values : first;
}
