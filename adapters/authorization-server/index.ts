/**
 * The marketplace's own OAuth 2.0 authorization server, on oidc-provider: for machines (`client_credentials`), for apps
 * that act for a developer (authorization code with PKCE, device flow), and for agents (client id metadata documents).
 * @module automation-marketplace-oauth/authorization-server
 */
import type { IncomingMessage } from 'node:http';
import type { default as Provider, KoaContextWithOIDC } from 'oidc-provider';
import type { UseCases } from '../../application/core.js';
import { requireOperator, type Operator } from '../../domain/access.js';
import type { TokenAudience } from '../../domain/connection.js';
import { requireOptions, requireParts } from '../../domain/options.js';
import type { ApiKeyVerifier, OAuthRecords } from '../../domain/ports.js';
import { OAUTH_PATH } from '../edge/middleware/base-path.js';
import type { Consents, ServerDescription } from '../web/consents.js';
import type { HostOptions, MountedApp } from '../edge/host.js';
import { assertOption, assertVerifier, checkedHostOptions, HOST_OPTIONS } from '../edge/host-options.js';
import { clientAddress } from '../edge/middleware/client-address.js';
import { Overload } from '../edge/middleware/overload.js';
import { readOnly } from '../edge/middleware/routing.js';
import { newPageApp } from '../web/page-app.js';
import { PageQuota, type PageQuotaOptions } from '../web/page-quota.js';
import { isSafeForTokens } from '../edge/public-url.js';
import { DEFAULT_BRAND, type Brand } from '../web/views/brand.js';
import { errorPage, forBrowsers, noSuchPage } from '../web/views/error-page.js';
import { PageAssets } from '../web/views/assets.js';
import { newSite, views } from '../web/views/views.js';
import { agentDocuments } from './agent-documents.js';
import { ServerConsents } from './consents.js';
import { delegation } from './delegation.js';
import { noAddress, requireOwnHost } from './own-address.js';
import { ServerKeys, type Rotation } from './keys.js';
import type { Outcome } from './outcome.js';
import { serverPages } from './pages.js';
import type { ProviderParts } from './provider.js';
import { publicFetch } from './public-fetch.js';
import { OwnAccessTokenVerifier } from './tokens.js';

export type { Rotation } from './keys.js';

/** The use cases of the server, and the records of its store. */
export interface AuthorizationServerCore {
  readonly apps: NonNullable<UseCases['apps']>;
  readonly connections: NonNullable<UseCases['connections']>;
  readonly profiles: Pick<UseCases['profiles'], 'show'>;
  readonly oauthRecords: OAuthRecords;
}

/** The options of `createAuthorizationServer`. */
export interface AuthorizationServerOptions extends HostOptions, PageQuotaOptions {
  /**
   * Where the service is reached, without the mount path, asked at each request; undefined while it is not known, as
   * before it listens. Default: the public URL. It must be https, or http on a loopback address.
   */
  readonly address?: (() => string | undefined) | undefined;
  /** The audience of tokens for the API, if it is a URI. Default: its address, which ends with `/api`. */
  readonly audience?: string | undefined;
  /** Default: the name and the drawing of the package. */
  readonly brand?: Brand | undefined;
  /** Default: the clock of the machine. */
  readonly now?: (() => Date) | undefined;
  /**
   * Fetches the metadata documents of agents, whose addresses strangers choose: it decides which servers they may name.
   * Default: one that reaches public servers alone, on port 443.
   */
  readonly fetch?: typeof globalThis.fetch | undefined;
}

const OPTIONS = {
  address: true,
  audience: true,
  brand: true,
  now: true,
  fetch: true,
  pageRateLimit: true,
  ...HOST_OPTIONS,
} as const;

/** An authorization server. */
export interface AuthorizationServer {
  /** The endpoints and pages at `/oauth`, and the metadata (RFC 8414), as a Koa application. */
  readonly app: MountedApp;
  /** The questions that the panel shows. */
  readonly consents: Consents;
  /**
   * Returns what accepts the tokens of this server for the API, or for the tools for agents, and every other credential
   * that `others` accepts, such as API keys.
   */
  verifier(audience: TokenAudience, others: ApiKeyVerifier): ApiKeyVerifier;
  /** Returns the issuer and the resource of tokens; undefined while the address is not known. */
  describe(audience: TokenAudience): ServerDescription | undefined;
}

/**
 * Returns an authorization server over a store. Mount its `app` next to the API and the panel, hand its `consents` to
 * the panel, and its verifiers to the API and the tools for agents.
 * @throws TypeError when an option is not as it must be.
 */
export function createAuthorizationServer(
  core: AuthorizationServerCore,
  options: AuthorizationServerOptions = {},
  overload = new Overload(),
): AuthorizationServer {
  requireOptions('createAuthorizationServer', options, OPTIONS);
  requireParts('createAuthorizationServer', 'a core', core, ['apps', 'connections', 'oauthRecords']);
  return new Server(core, options, overload);
}

/**
 * Makes a new key that signs tokens and cookies, also for servers that run on the same store, and returns its id. The
 * old one is accepted until its last token ends, or with `atOnce` no longer.
 */
export async function rotateSigningKeys(
  by: Operator,
  { oauthRecords, audit }: { readonly oauthRecords: OAuthRecords; readonly audit: UseCases['audit'] },
  rotation?: Rotation,
): Promise<string> {
  requireOperator(by);
  const id = await new ServerKeys(oauthRecords).rotate(rotation);
  await audit.recordBy(by, 'signing-key-rotated', undefined);
  return id;
}

class Server implements AuthorizationServer {
  readonly app: MountedApp;
  readonly consents: Consents;
  readonly #keys: ServerKeys;
  readonly #host;
  readonly #brand;
  readonly #pages;
  readonly #fetch;
  readonly #outcomes = new WeakMap<IncomingMessage, Outcome>();
  #current: { readonly provider: Provider; readonly version: string } | undefined;

  constructor(
    private readonly core: AuthorizationServerCore,
    private readonly options: AuthorizationServerOptions,
    overload: Overload,
  ) {
    this.#host = checkedHostOptions(options);
    this.#brand = options.brand ?? DEFAULT_BRAND;
    const { publicUrl } = this.#host;
    assertOption(
      publicUrl === '' || isSafeForTokens(publicUrl),
      'publicUrl must be https, or http on a loopback address',
    );
    this.#keys = new ServerKeys(core.oauthRecords, options.now);
    const { base } = this.#host;
    const assets = new PageAssets(this.#brand);
    const { name } = this.#brand;
    const at = `${base}${OAUTH_PATH}`;
    const site = newSite({ name, at: base, assets: assets.addresses(at), docs: false, catalogue: false, panel: true });
    const render = views(new URL('./templates/', import.meta.url), site, { isPrivate: true });
    this.#pages = serverPages(render);
    this.#fetch = agentDocuments(options.fetch ?? publicFetch());
    this.consents = new ServerConsents({
      ...core,
      provider: () => this.#provider(),
      describe: (audience) => this.describe(audience),
      requireOwnHost: (request) => requireOwnHost(request, this.#start() ?? noAddress(), this.#host.publicUrl),
      brandName: name,
    });
    this.app = this.#newApp(assets, forBrowsers(errorPage(render)), overload);
  }

  verifier(audience: TokenAudience, others: ApiKeyVerifier): ApiKeyVerifier {
    assertVerifier(others);
    const { now = () => new Date() } = this.options;
    const { connections } = this.core;
    const describe = () => this.describe(audience);
    return new OwnAccessTokenVerifier({ describe, keys: this.#keys, connections, now, others });
  }

  describe(audience: TokenAudience): ServerDescription | undefined {
    const start = this.#start();
    return start === undefined ? undefined : { issuer: start + OAUTH_PATH, resource: this.#resources(start)[audience] };
  }

  /** Returns the address with which all others begin; undefined while it is not known. */
  #start(): string | undefined {
    const { publicUrl, mountPath } = this.#host;
    const address = publicUrl || this.options.address?.();
    return address === undefined || !isSafeForTokens(address) ? undefined : address + mountPath;
  }

  #resources(start: string): Readonly<Record<TokenAudience, string>> {
    const { audience } = this.options;
    // A resource is an address (RFC 8707, section 2). The audience of an issuer elsewhere may be any name.
    const api = audience !== undefined && URL.canParse(audience) ? audience : `${start}/api`;
    return { api, agents: `${start}/mcp` };
  }

  /**
   * Returns the server of oidc-provider, which is loaded with the first request; a new one when the keys have changed,
   * as it takes them once.
   */
  async #provider(): Promise<Provider | undefined> {
    const start = this.#start();
    if (start === undefined) return undefined;
    const { newProvider } = await import('./provider.js');
    const keys = await this.#keys.current();
    const version = `${start} ${keys.version}`;
    if (this.#current?.version !== version)
      this.#current = { provider: newProvider({ ...this.#providerParts(start), keys }), version };
    return this.#current.provider;
  }

  #providerParts(start: string) {
    const { base, onError } = this.#host;
    return {
      ...this.core,
      issuer: start + OAUTH_PATH,
      resources: this.#resources(start),
      consentPath: `${base}/panel/consent`,
      cookiePath: `${base}${OAUTH_PATH}`,
      pages: this.#pages,
      brandName: this.#brand.name,
      fetch: this.#fetch,
      endConnection: this.#endConnection,
      onOutcome: ({ req }: KoaContextWithOIDC, outcome: Outcome) => void this.#outcomes.set(req, outcome),
      onError: (error: unknown, { res }: KoaContextWithOIDC) => onError(error, String(res.getHeader('X-Request-Id'))),
    };
  }

  /** A client asked for the end of the connection, or used a code or a token twice. */
  readonly #endConnection: ProviderParts['endConnection'] = (id, ctx) => {
    const address = ctx && clientAddress(ctx.req, this.#host.trustedProxyHops);
    const requestId = ctx && String(ctx.res.getHeader('X-Request-Id'));
    const cause = ctx?.oidc.route === 'revocation' ? 'disconnected-by-app' : 'token-reused';
    return this.core.connections.end(id, cause, { address, requestId });
  };

  #newApp(assets: PageAssets, pageFor: ReturnType<typeof forBrowsers>, overload: Overload): MountedApp {
    const { trustedProxyHops, base } = this.#host;
    const addressOf = (request: Parameters<typeof clientAddress>[0]) => clientAddress(request, trustedProxyHops);
    const provider = () => this.#provider();
    const outcomeOf = (request: IncomingMessage) => this.#outcomes.get(request);
    const quota = PageQuota.of(this.options);
    const limitStored = quota.ofStored({ ...this.#host, addressOf: ({ req }) => addressOf(req) });
    const pages = delegation({ ...this.#host, provider, start: () => this.#start(), limitStored, outcomeOf });
    const served = { files: readOnly(assets.routes(OAUTH_PATH)), pages, notFound: noSuchPage, quota };
    return newPageApp({ ...this.#host, base, pageFor, addressOf, ...served }, overload);
  }
}
