/**
 * What `oidc-provider` 9.13 does otherwise than this server needs, and what each workaround waits for. Its issues were
 * searched; where none is named, none was found. Numbers are those of panva/node-oidc-provider.
 *
 * | here | goes when the library |
 * |---|---|
 * | `registerGrantType` | has a grant use up what was sent after it has checked all, and lets the store refuse it |
 * | `persist` | saves no session that was never stored, as that of a browser that goes on for a device without one |
 * | `compareClientSecret` | (stays: the store has hashes of secrets, #631 and #104) |
 * | `redirectUriAllowed` | compares addresses of this device as RFC 3986, section 6.2.3, does |
 * | `sendErrorsInQuery` | sends errors in no mode that it is not configured for: `form_post` is a script (#850) |
 * | `keepErrorsOfAgents` | can keep errors here until a person has consented (RFC 9700, section 4.11.2) |
 * | `describeTruly` | says of itself what its configuration does, for each endpoint (RFC 8414, section 2) |
 * | `authorizationIn` | takes forms over HTTP (#683), and ignores what has a meaning with `openid` alone |
 * | `publicClientIn` | takes HTTP Basic with an empty secret for no secret |
 * | `withoutCode` | shows `userCodeInputSource` for an address with a code, too |
 *
 * @module
 */
import Provider, { type Configuration, type KoaContextWithOIDC } from 'oidc-provider';
import { isSecretOf } from '../../application/developer-apps.js';
import { isLoopback } from '../../domain/app.js';
import type { Context } from '../edge/context.js';
import { pathOf, queryOf } from '../edge/middleware/base-path.js';
import { bodyCollector } from '../edge/middleware/collect-body.js';
import { agentOf, CLIENT_AUTH_METHODS } from './clients.js';
import type { Exchanges, Grant } from './exchanges.js';

type Names = string | readonly string[] | ReadonlySet<string>;

/** The server of oidc-provider, of which each grant is an exchange. */
export class PatchedProvider extends Provider {
  constructor(
    issuer: string,
    configuration: Configuration,
    private readonly exchanges: Exchanges,
  ) {
    super(issuer, configuration);
    sendErrorsInQuery(this);
    keepErrorsOfAgents(this);
    describeTruly(this);
    this.Session.prototype.persist = async function persist() {
      return typeof this.exp === 'number' ? this.save(this.exp - Math.floor(Date.now() / 1000)) : '';
    };
    this.Client.prototype.compareClientSecret = function compare(actual) {
      return this.clientSecret !== undefined && isSecretOf(this.clientSecret, actual);
    };
    const client: { redirectUriAllowed: (this: object, uri: string) => boolean } = this.Client.prototype;
    const { redirectUriAllowed: isAllowed } = client;
    client.redirectUriAllowed = function isAllowedInOneForm(uri) {
      return sameLoopback(uri).some((form) => isAllowed.call(this, form));
    };
  }

  /** Registers a grant; the library does so with each of its own. */
  override registerGrantType<Params extends object>(
    name: string,
    grant: Grant<Params>,
    ...rest: readonly [params?: Names, duplicates?: Names]
  ): void {
    super.registerGrantType<Params>(name, (ctx) => this.exchanges.run(ctx, grant), ...rest);
  }
}

/** Returns an address of this device with and without the slash that is its whole path (RFC 3986, section 6.2.3). */
function sameLoopback(uri: string): readonly string[] {
  const [, start, slash, rest = ''] = /^(http:\/\/[^/?#]+)(\/?)(\?.*)?$/.exec(uri) ?? [];
  return start !== undefined && isLoopback(uri) ? [uri, start + (slash === '' ? '/' : '') + rest] : [uri];
}

function sendErrorsInQuery(provider: Provider): void {
  provider.on('authorization.error', ({ oidc: { params } }) => {
    if (params?.['response_mode'] !== undefined) params['response_mode'] = 'query';
  });
}

/**
 * Keeps the browser here when a request of an agent fails before a person has consented. Everyone can describe an agent
 * that leads to any address, so the server would lead there in their name.
 */
function keepErrorsOfAgents(provider: Provider): void {
  provider.on('authorization.error', (ctx, error) => {
    if (agentOf(ctx) === undefined || ctx.oidc.result?.consent !== undefined) return;
    error.allow_redirect = false;
    // The status of the redirect was set before.
    if (ctx.status === 303) ctx.status = 400;
  });
}

/** What this configuration does, where the metadata of the library say more. */
const METADATA = {
  response_modes_supported: ['query'],
  revocation_endpoint_auth_methods_supported: CLIENT_AUTH_METHODS,
  claims_supported: ['iss', 'sub', 'aud', 'exp', 'iat', 'auth_time'],
};

function describeTruly(provider: Provider): void {
  provider.use(async (ctx: KoaContextWithOIDC, next) => {
    await next();
    const { route } = (ctx.oidc as KoaContextWithOIDC['oidc'] | undefined) ?? {};
    const said: unknown = ctx.body;
    if (route === 'discovery' && typeof said === 'object' && said !== null) Object.assign(said, METADATA);
  });
}

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
