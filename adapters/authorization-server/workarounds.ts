/**
 * What `oidc-provider` 9.13 does otherwise than this server needs, and what each workaround waits for. Its issues were
 * searched; where none is named, none was found. Numbers are those of panva/node-oidc-provider. The last three rows are
 * in `rewritten-requests.ts`, which does not load the library: that waits for the first request.
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
