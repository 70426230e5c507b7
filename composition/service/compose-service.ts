import { VERSION } from '../../adapters/api/documents/version.js';
import { createPagesApp } from '../../adapters/api/documents/site-app.js';
import { metadataPath } from '../../adapters/api/documents/resource-metadata.js';
import {
  createHttpApp,
  DeveloperQuotas,
  dispatcher,
  Overload,
  PageQuota,
  protectServer,
  type CompletedRequest,
} from '../../adapters/api/index.js';
import { createCatalogue } from '../../adapters/catalogue/index.js';
import { FILES_PATH } from '../../adapters/edge/middleware/base-path.js';
import { publicPath } from '../../adapters/edge/public-url.js';
import { createHttpServer } from '../../adapters/edge/server/server.js';
import { createFilesApp } from '../../adapters/files/index.js';
import { createPanel } from '../../adapters/panel/index.js';
import { AccountRightsVerifier } from '../../application/account-rights.js';
import type { UseCases } from '../../application/core.js';
import { safeCall } from '../../application/safe-call.js';
import type { TokenAudience } from '../../domain/connection.js';
import type { Storage } from '../../domain/ports.js';
import { readTls } from '../config/files.js';
import { outsideIssuer, ownServer, tokensTaken, verifierFor } from './access-tokens.js';
import { addressForTokens } from './addresses.js';
import { drawFile } from './file-inspector.js';
import { Readiness } from './readiness.js';
import { exposedKeyLogger, requestLogger } from './service-log.js';
import type { ServiceParts } from './service-parts.js';
import { Service } from './service.js';
import { Upkeep } from './upkeep.js';

/** Returns the whole service over a core and its storage. It is neither open nor does it listen yet. */
export async function composeService(core: UseCases, storage: Storage, parts: ServiceParts): Promise<Service> {
  const { config, log, metrics, host, fetch } = parts;
  const { PUBLIC_URL: publicUrl, SEARCH: search, PANEL: hasPanel, CATALOGUE: visibility, tls } = config;
  const { mountPath = '', authenticate, issuer, signInUrl, now } = host;
  const { marketplace, sessions, maintenance, audit } = core;
  const { currency } = marketplace;

  const server = createHttpServer(undefined, tls && readTls(tls));
  const overload = new Overload();
  metrics.observeLoad(overload);
  const reached = { mountPath, publicUrl, trustedProxyHops: config.TRUSTED_PROXY_HOPS };
  const edge = { ...reached, isSharedNetwork: config.SHARED_NETWORKS || undefined, ...hooks(parts) };
  const quotas = new DeveloperQuotas({ reads: config.RATE_LIMIT_READS, creates: config.RATE_LIMIT_CREATES });
  const brand = { name: config.BRAND_NAME, logo: config.BRAND_LOGO || undefined };
  const pages = { ...edge, brand, pageRateLimit: new PageQuota(config.RATE_LIMIT_PAGES) };

  const address = () => addressForTokens(config, server);
  const ofServer = { ...pages, now, audience: config.accessTokens?.audience, address, fetch };
  const withRecords = { ...core, oauthRecords: storage.oauthRecords };
  const own = config.OAUTH_SERVER ? await ownServer(withRecords, ofServer, overload, log) : undefined;
  const outside = await outsideIssuer(parts, { ...core, developers: storage.developers });
  const keys = host.verifier ? new AccountRightsVerifier(host.verifier, storage.developers) : core.verifier;
  const takers = { own, outside, keys };

  const rateLimits = { failedAuthentications: config.RATE_LIMIT_FAILED_AUTH };
  const ofPrograms = (audience: TokenAudience) => ({
    ...edge,
    search,
    quotas,
    filesPath: FILES_PATH,
    rateLimits,
    verifier: verifierFor(audience, takers),
    ...(authenticate && { authenticate, issuer, sessions }),
    resourceMetadata: () => {
      // An issuer elsewhere alone can be named only where PUBLIC_URL says what its tokens must be for.
      const start = (own ?? outside) && (publicUrl || (own && address()));
      return start ? start + mountPath + metadataPath(audience) : '';
    },
  });
  const api = createHttpApp(marketplace, { ...ofPrograms('api'), documents: false }, overload);
  const agents = config.MCP ? await import('../../adapters/mcp/index.js') : undefined;
  const mcp = agents?.createMcpApp(marketplace, ofPrograms('agents'), overload);

  const hasCatalogue = visibility !== 'off';
  const ofPeople = { ...pages, search, docs: true, authenticate, issuer, signInUrl };
  const openId = config.signIn && (await import('../../adapters/sign-in/index.js'));
  const warn = (details: object, message: string) => log.warn(details, message);
  const signIn = config.signIn && openId?.createSignIn(core, { ...config.signIn, warn });
  const ofAccounts = { signIn, passwords: config.PASSWORDS, consents: own?.consents };
  const ofPanel = { ...ofPeople, ...ofAccounts, now, quotas, catalogue: hasCatalogue };
  const panel = hasPanel ? createPanel(core, ofPanel, overload) : undefined;
  const n8nUrls = config.N8N_URLS || undefined;
  const ofFiles = { filesPath: FILES_PATH, drawFile, n8nUrls };
  const ofCatalogue = { ...ofPeople, ...ofFiles, panel: hasPanel, apps: own !== undefined };
  const catalogue = hasCatalogue ? createCatalogue(core, { ...ofCatalogue, visibility }, overload) : undefined;

  const visibleFor = visibility === 'public' ? visibility : 'members';
  const readers = { visibility: visibleFor, verifier: verifierFor('api', takers), rateLimits } as const;
  const ofReaders = { ...edge, ...readers, pageRateLimit: pages.pageRateLimit };
  const files = createFilesApp(core, { ...ofReaders, authenticate, issuer }, overload);
  const ofLibrary = { ...ofReaders, search, quotas, onExposedKey: exposedKeyLogger(log) };
  const n8n = n8nUrls && (await import('../../adapters/n8n/index.js'));
  const library = n8nUrls && n8n?.createN8nLibrary(core, { ...ofLibrary, n8nUrls }, overload);

  const readiness = new Readiness(storage, log);
  const scraping = { token: config.METRICS_TOKEN, text: () => metrics.text() };
  const probes = { readiness: readiness.state, metrics: scraping };
  const tokens = {
    accessTokens: () => tokensTaken('api', takers),
    agentTokens: mcp && (() => tokensTaken('agents', takers)),
  };
  const shown = { search, currency, version: VERSION, panel: hasPanel, catalogue: visibility };
  const site = createPagesApp({ ...pages, ...shown, ...tokens, ...probes }, overload);

  const handler = dispatcher({
    mountPath,
    publicUrl,
    api: api.callback(),
    mcp: mcp?.callback(),
    panel: panel?.callback(),
    catalogue: catalogue?.callback(),
    files: files.callback(),
    n8n: library?.callback(),
    authorizationServer: own?.app.callback(),
    pages: site.callback(),
  });
  server.on('request', handler);
  const limits = { keepAliveSeconds: config.KEEP_ALIVE_SECONDS, mountPath: publicPath(publicUrl) + mountPath };
  const protection = protectServer(server, { ...limits, onRequestCompleted: edge.onRequestCompleted });
  const upkeep = new Upkeep(storage, maintenance, metrics, log);
  return new Service({
    currency,
    maintenance,
    audit,
    upkeep,
    http: { server, handler, ...protection },
    readiness,
    log,
  });
}

/** Returns the hooks of all applications, which count, log and tell the host. */
function hooks({ metrics, log, host }: ServiceParts) {
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
