import 'reflect-metadata';
import { Container, ContainerModule } from 'inversify';
import { isSafeForTokens } from '../../adapters/edge/public-url.js';
import type { TokenRefusal } from '../../adapters/oauth/index.js';
import { cachedStorage } from '../../adapters/storage/caches.js';
import { AccountRightsVerifier } from '../../application/account-rights.js';
import { RoutingApiKeyVerifier } from '../../application/routing-api-key-verifier.js';
import { ScanningSearch } from '../../application/scanning-search.js';
import type { OAuthRecords, Storage } from '../../domain/ports.js';
import type { ServiceConfig } from '../config/service-settings.js';
import { Applications, type ApplicationParts } from '../service/applications.js';
import { Metrics } from '../service/metrics.js';
import { oncePerSecond, Readiness } from '../service/readiness.js';
import { Service } from '../service/service.js';
import { AGENT_VERIFIER, AUTHORIZATION_SERVER, NEW_CORE, SERVICE } from '../service/tokens.js';
import { Upkeep } from '../service/upkeep.js';
import {
  API_KEY_REPOSITORY,
  API_KEY_VERIFIER,
  AUTOMATION_STORE,
  CATEGORY_REPOSITORY,
  CORE,
  DEVELOPER_REPOSITORY,
  HTTP_APP,
  STORAGE,
} from '../tokens.js';
import { coreModule } from './core.js';
import { storageModule } from './storage.js';

export type ServiceParts = Omit<ApplicationParts, 'metrics'>;

/** Without a public address, nothing tells the tokens for agents from those for the API. */
const NO_TOKENS = { verify: async () => undefined };

/** Returns the whole service over a storage. It is neither open nor does it listen yet. */
export async function composeService(storage: Storage, parts: ServiceParts): Promise<Service> {
  const { config, currency, log, host } = parts;
  const { BRAND_NAME: brandName, KEY_CACHE_SECONDS: seconds } = config;
  const { rules, now, newId, verifier } = host;
  const onAuditError = (err: unknown, entries: readonly object[]) =>
    log.error({ err, entries }, 'the audit could not be written');
  const container = new Container({ defaultScope: 'Singleton' });
  const isSharedNetwork = config.SHARED_NETWORKS || undefined;
  container.load(coreModule({ brandName, currency, onAuditError, isSharedNetwork, rules, now, newId }));
  if (verifier !== undefined)
    container
      .rebind(API_KEY_VERIFIER)
      .toResolvedValue((developers) => new AccountRightsVerifier(verifier, developers), [DEVELOPER_REPOSITORY])
      .inSingletonScope();
  await loadOutsideTokens(container, parts);
  container.load(storageModule(cachedStorage(storage, { seconds })), await serviceModule(parts));
  return container.get(SERVICE);
}

/** Accepts the tokens of an issuer elsewhere, for the API and for agents. */
async function loadOutsideTokens(container: Container, { config, log, host }: ServiceParts): Promise<void> {
  const { accessTokens } = config;
  if (accessTokens === undefined) return;
  const { oauthModule, accessTokensOf } = await import('./oauth.js');
  const onRefused = (refusal: TokenRefusal) => log.debug({ ...refusal }, 'an access token was refused');
  const options = { ...accessTokens, onRefused, now: host.now };
  container.load(await oauthModule(options));
  const ofAgents = { ...options, audience: `${config.PUBLIC_URL}${host.mountPath ?? ''}/mcp` };
  if (config.PUBLIC_URL) container.load(await accessTokensOf(AGENT_VERIFIER, ofAgents));
  else container.onActivation(AGENT_VERIFIER, (_context, keys) => new RoutingApiKeyVerifier(keys, NO_TOKENS));
}

/**
 * Returns the module of the service, over the core and a storage. It counts the calls of repositories. The adapter for
 * agents is loaded only where it is used, and so is the authorization server.
 */
export async function serviceModule(parts: ServiceParts): Promise<ContainerModule> {
  const { config, currency, log } = parts;
  const agents = config.MCP ? await import('../../adapters/mcp/index.js') : undefined;
  const oauth = config.OAUTH_SERVER ? await import('../../adapters/authorization-server/index.js') : undefined;
  const metrics = new Metrics();
  const applications = new Applications({ ...parts, metrics });
  return new ContainerModule(({ bind, onActivation }) => {
    onActivation(AUTOMATION_STORE, (_context, store) => {
      const { automations, archive, search = new ScanningSearch(archive) } = store;
      metrics.observeAutomations(oncePerSecond(() => automations.countByCategory()));
      const counted = metrics.counted(automations, 'automations');
      return { ...store, automations: counted, search: metrics.counted(search, 'search') };
    });
    onActivation(CATEGORY_REPOSITORY, (_context, port) => metrics.counted(port, 'categories'));
    onActivation(API_KEY_REPOSITORY, (_context, port) => metrics.counted(port, 'api-keys'));
    bind(AUTHORIZATION_SERVER)
      .toResolvedValue(
        ({ apps, connections, profiles }, { oauthRecords }) => {
          if (oauth === undefined) return undefined;
          const why = whyNoServer(config, oauthRecords);
          if (why !== undefined) log.warn({}, `there is no authorization server, since ${why}`);
          if (why !== undefined || !apps || !connections || !oauthRecords) return undefined;
          const parts = { apps, connections, profiles, oauthRecords };
          return applications.authorizationServer(oauth.createAuthorizationServer, parts);
        },
        [NEW_CORE, AUTOMATION_STORE],
      )
      .inSingletonScope();
    if (oauth !== undefined)
      onActivation(API_KEY_VERIFIER, (context, others) => {
        return context.get(AUTHORIZATION_SERVER)?.verifier('api', others) ?? others;
      });
    bind(HTTP_APP)
      .toResolvedValue((core, server) => applications.api(core, server), [CORE, AUTHORIZATION_SERVER])
      .inSingletonScope();
    bind(AGENT_VERIFIER)
      .toResolvedValue(({ verifier }) => verifier, [CORE])
      .inSingletonScope();
    if (oauth !== undefined)
      onActivation(AGENT_VERIFIER, (context, others) => {
        return context.get(AUTHORIZATION_SERVER)?.verifier('agents', others) ?? others;
      });
    bind(SERVICE)
      .toResolvedValue(
        (storage, core, api, agentVerifier, server) => {
          const { maintenance, audit } = core;
          const readiness = new Readiness(storage, log);
          const upkeep = new Upkeep(storage, maintenance, metrics, log);
          const mcp = agents && applications.mcp(agents.createMcpApp, core, agentVerifier, server);
          const http = applications.server({ api, mcp, oauth: server }, core, readiness);
          return new Service({ currency, maintenance, audit, upkeep, http, readiness, log });
        },
        [STORAGE, CORE, HTTP_APP, AGENT_VERIFIER, AUTHORIZATION_SERVER],
      )
      .inSingletonScope();
  });
}

/** Returns why there can be no authorization server; undefined if there can. */
function whyNoServer({ PUBLIC_URL: url }: ServiceConfig, records: OAuthRecords | undefined): string | undefined {
  if (records === undefined) return 'the storage has no records of one';
  return url === '' || isSafeForTokens(url) ? undefined : 'PUBLIC_URL is neither https nor of this machine';
}
