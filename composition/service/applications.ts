import type { Server } from 'node:http';
import type {
  AuthorizationServer,
  AuthorizationServerCore,
  createAuthorizationServer,
} from '../../adapters/authorization-server/index.js';
import { createCatalogue } from '../../adapters/catalogue/index.js';
import {
  createHttpApp,
  DeveloperQuotas,
  dispatcher,
  Overload,
  PageQuota,
  protectServer,
  type CompletedRequest,
  type MountedApp,
} from '../../adapters/api/index.js';
import { VERSION } from '../../adapters/api/documents/version.js';
import { createPagesApp } from '../../adapters/api/documents/site-app.js';
import { metadataPath } from '../../adapters/api/documents/resource-metadata.js';
import { isSafeForTokens, publicPath } from '../../adapters/edge/public-url.js';
import { createHttpServer } from '../../adapters/edge/server/server.js';
import type { createMcpApp, McpOptions } from '../../adapters/mcp/index.js';
import { createPanel } from '../../adapters/panel/index.js';
import type { UseCases } from '../../application/core.js';
import { safeCall } from '../../application/safe-call.js';
import type { TokenAudience } from '../../domain/connection.js';
import type { Currency } from '../../domain/currency.js';
import type { ApiKeyVerifier } from '../../domain/ports.js';
import type { ServiceConfig } from '../config/service-settings.js';
import { readTls } from '../config/files.js';
import { urlForPeople } from './addresses.js';
import type { HostParts } from './host-parts.js';
import type { Metrics } from './metrics.js';
import type { Readiness } from './readiness.js';
import { requestLogger, type ServiceLog } from './service-log.js';
import type { HttpServer } from './service.js';

/** What the applications of a service are made of, in addition to the core. */
export interface ApplicationParts {
  readonly config: ServiceConfig;
  readonly currency: Currency;
  readonly log: ServiceLog;
  readonly metrics: Metrics;
  readonly host: HostParts;
}

interface ForPrograms {
  readonly api: MountedApp;
  readonly mcp: MountedApp | undefined;
  readonly oauth: AuthorizationServer | undefined;
}

/** The applications of a service: they share one overload protection, quotas, and what is told of each request. */
export class Applications {
  readonly #overload = new Overload();
  readonly #quotas;
  /** The options of all. */
  readonly #common;
  /** The options of those that show pages. */
  readonly #pages;
  #server: Server | undefined;

  constructor(private readonly parts: ApplicationParts) {
    const { config, metrics, host } = parts;
    const { PUBLIC_URL: publicUrl, TRUSTED_PROXY_HOPS: trustedProxyHops, SEARCH: search } = config;
    const { RATE_LIMIT_READS: reads, RATE_LIMIT_CREATES: creates, BRAND_NAME: name, BRAND_LOGO: logo } = config;
    metrics.observeLoad(this.#overload);
    this.#quotas = new DeveloperQuotas({ reads, creates });
    const isSharedNetwork = config.SHARED_NETWORKS || undefined;
    const reached = { mountPath: host.mountPath ?? '', publicUrl, trustedProxyHops, isSharedNetwork };
    this.#common = { ...reached, search, ...hooks(parts) };
    const pageRateLimit = new PageQuota(config.RATE_LIMIT_PAGES);
    this.#pages = { ...this.#common, brand: { name, logo: logo || undefined }, docs: true, pageRateLimit };
  }

  /** Returns the authorization server. */
  authorizationServer(create: typeof createAuthorizationServer, core: AuthorizationServerCore): AuthorizationServer {
    const { config, host } = this.parts;
    const { search: _search, ...common } = this.#common;
    const { brand, pageRateLimit } = this.#pages;
    const audience = config.accessTokens?.audience;
    const options = { ...common, brand, pageRateLimit, now: host.now, audience, address: () => this.#address() };
    return create(core, options, this.#overload);
  }

  /** Returns the four endpoints. */
  api({ marketplace, verifier, sessions }: UseCases, oauth: AuthorizationServer | undefined): MountedApp {
    const options = { ...this.#ofPrograms(verifier, sessions, this.#metadataOf('api', oauth)), documents: false };
    return createHttpApp(marketplace, options, this.#overload);
  }

  /** Returns the tools for agents. */
  mcp(
    create: typeof createMcpApp,
    { marketplace, sessions }: UseCases,
    verifier: ApiKeyVerifier,
    oauth: AuthorizationServer | undefined,
  ): MountedApp {
    return create(marketplace, this.#ofPrograms(verifier, sessions, this.#metadataOf('agents', oauth)), this.#overload);
  }

  /** Returns the options of what programs use with keys and tokens. */
  #ofPrograms(verifier: ApiKeyVerifier, sessions: UseCases['sessions'], resourceMetadata: () => string): McpOptions {
    const { config, host } = this.parts;
    const { authenticate } = host;
    return {
      ...this.#common,
      verifier,
      ...(authenticate && { authenticate, sessions }),
      quotas: this.#quotas,
      rateLimits: { failedAuthentications: config.RATE_LIMIT_FAILED_AUTH },
      resourceMetadata,
    };
  }

  /**
   * Returns where the metadata of a resource is; empty where no tokens are taken or its address is not known. The
   * address of this machine is told where the own server has it, too.
   */
  #metadataOf(audience: TokenAudience, oauth: AuthorizationServer | undefined): () => string {
    const { mountPath, publicUrl } = this.#common;
    const takesTokens = (this.parts.config.accessTokens ?? oauth) !== undefined;
    return () => {
      const start = publicUrl || (oauth && this.#address());
      return start && takesTokens ? start + mountPath + metadataPath(audience) : '';
    };
  }

  /** Returns the server with the endpoints and all pages. */
  server({ api, mcp, oauth }: ForPrograms, core: UseCases, readiness: Readiness): HttpServer {
    const { KEEP_ALIVE_SECONDS: keepAliveSeconds, tls } = this.parts.config;
    const { mountPath, publicUrl, onRequestCompleted } = this.#common;
    const { panel, catalogue } = this.#forPeople(core, oauth);
    const handler = dispatcher({
      api: api.callback(),
      mcp: mcp?.callback(),
      authorizationServer: oauth?.app.callback(),
      pages: this.#documents(readiness, oauth).callback(),
      panel: panel?.callback(),
      catalogue: catalogue?.callback(),
      mountPath,
      publicUrl,
    });
    const server = createHttpServer(handler, tls && readTls(tls));
    this.#server = server;
    const protection = { onRequestCompleted, keepAliveSeconds, mountPath: publicPath(publicUrl) + mountPath };
    return { server, handler, ...protectServer(server, protection) };
  }

  /** Returns probes, metrics and documentation. */
  #documents({ state }: Readiness, oauth: AuthorizationServer | undefined): MountedApp {
    const { config, currency, metrics } = this.parts;
    const { PANEL: panel, CATALOGUE: catalogue, METRICS_TOKEN: token } = config;
    const scraping = { token, text: () => metrics.text() };
    const shown = { ...this.#pages, ...this.#accessTokens(oauth), currency, version: VERSION, panel, catalogue };
    return createPagesApp({ ...shown, readiness: state, metrics: scraping }, this.#overload);
  }

  /** Returns whose access tokens the API takes, and whose the tools for agents take. */
  #accessTokens(
    oauth: AuthorizationServer | undefined,
  ): Pick<Parameters<typeof createPagesApp>[0], 'accessTokens' | 'agentTokens'> {
    const { accessTokens, MCP: mcp } = this.parts.config;
    const { mountPath, publicUrl } = this.#common;
    const outsideIssuer = accessTokens?.issuer;
    const tokensFor = (audience: TokenAudience, outsideAudience: string | undefined) => () => {
      const { issuer: ownIssuer, resource = outsideAudience } = oauth?.describe(audience) ?? {};
      const fromOutside = outsideAudience === undefined ? undefined : outsideIssuer;
      if (resource === undefined || (ownIssuer ?? fromOutside) === undefined) return undefined;
      return { ownIssuer, outsideIssuer: fromOutside, audience: resource };
    };
    const forAgents = accessTokens && publicUrl ? `${publicUrl}${mountPath}/mcp` : undefined;
    return {
      accessTokens: tokensFor('api', accessTokens?.audience),
      agentTokens: mcp ? tokensFor('agents', forAgents) : undefined,
    };
  }

  /** Returns where the service is reached, once it listens: at an address of this machine, or over TLS. */
  #address(): string | undefined {
    const { config } = this.parts;
    const listening = this.#server?.address() ?? undefined;
    if (listening === undefined || typeof listening === 'string') return undefined;
    const url = urlForPeople(config, listening);
    return isSafeForTokens(url) ? url : undefined;
  }

  /** Returns the panel and the catalogue, each unless it is off. */
  #forPeople(
    core: UseCases,
    oauth: AuthorizationServer | undefined,
  ): { readonly panel?: MountedApp | undefined; readonly catalogue?: MountedApp | undefined } {
    const { config, host } = this.parts;
    const { PANEL: panel, CATALOGUE: visibility } = config;
    const { authenticate, signInUrl, now } = host;
    const shown = { ...this.#pages, authenticate, signInUrl };
    const ofPanel = { ...shown, now, quotas: this.#quotas, catalogue: visibility !== 'off', consents: oauth?.consents };
    const ofCatalogue = { ...shown, panel, apps: oauth !== undefined };
    const overload = this.#overload;
    return {
      panel: panel ? createPanel(core, ofPanel, overload) : undefined,
      catalogue: visibility === 'off' ? undefined : createCatalogue(core, { ...ofCatalogue, visibility }, overload),
    };
  }
}

/** Returns the hooks of all applications, which count, log and tell the host. */
function hooks({ metrics, log, host }: ApplicationParts) {
  const logRequest = requestLogger(log);
  return {
    onError: (err: unknown, requestId: string) => log.error({ err, requestId }, 'request failed'),
    onRequestCompleted: (request: CompletedRequest) => {
      metrics.countRequest(request);
      logRequest(request);
      safeCall(
        () => host.onRequestCompleted?.(request),
        (err) => log.error({ err, requestId: request.requestId }, 'onRequestCompleted failed'),
      );
    },
  };
}
