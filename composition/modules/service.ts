import 'reflect-metadata';
import { ContainerModule } from 'inversify';
import type { CompletedRequest, HostOptions } from '../../adapters/http/index.js';
import type { TokenRefusal } from '../../adapters/oauth/index.js';
import { cachedStorage } from '../../adapters/storage/caches.js';
import type { CoreOptions } from '../../application/core.js';
import { safeCall } from '../../application/safe-call.js';
import { ScanningSearch } from '../../application/scanning-search.js';
import type { Storage } from '../../domain/ports.js';
import type { ServiceConfig } from '../config/config.js';
import { compose } from '../container.js';
import { Metrics } from '../service/metrics.js';
import { oncePerSecond, Readiness } from '../service/readiness.js';
import { Service } from '../service/service.js';
import { requestLogger, type ServiceLog } from '../service/service-log.js';
import { HTTP_SERVER, READINESS, SERVICE } from '../service/tokens.js';
import { Upkeep } from '../service/upkeep.js';
import { API_KEY_REPOSITORY, AUTOMATION_STORE, CATEGORY_REPOSITORY, CORE, STORAGE } from '../tokens.js';
import { coreModule } from './core.js';
import { httpServerModule } from './http-server.js';
import { storageModule } from './storage.js';

/** What a host hands to the parts of a service. */
export interface HostParts
  extends Pick<CoreOptions, 'rules' | 'now' | 'newId'>, Pick<HostOptions, 'onRequestCompleted'> {}

/** Returns the whole service over a storage. It is neither open nor does it listen yet. */
export async function composeService(
  storage: Storage,
  config: ServiceConfig,
  log: ServiceLog,
  host: HostParts = {},
): Promise<Service> {
  const { accessTokens, brand, currency, keyCacheSeconds } = config;
  const onAuditError = (err: unknown, entries: readonly object[]) =>
    log.error({ err, entries }, 'the audit could not be written');
  const { rules, now, newId } = host;
  const core = coreModule({ brandName: brand.name, currency, onAuditError, rules, now, newId });
  const onRefused = (refusal: TokenRefusal) => log.debug({ ...refusal }, 'an access token was refused');
  const tokens = accessTokens && (await (await import('./oauth.js')).oauthModule({ ...accessTokens, onRefused, now }));
  const stored = storageModule(cachedStorage(storage, { seconds: keyCacheSeconds }));
  return compose(SERVICE, core, ...(tokens ? [tokens] : []), stored, ...serviceModules(config, log, host));
}

/** The modules of the service, over the core and a storage. */
export function serviceModules(
  config: ServiceConfig,
  log: ServiceLog,
  { now, onRequestCompleted }: HostParts = {},
): readonly ContainerModule[] {
  const metrics = new Metrics();
  const logRequest = requestLogger(log);
  const tellHost = (request: CompletedRequest) =>
    safeCall(
      () => onRequestCompleted?.(request),
      (err) => log.error({ err, requestId: request.requestId }, 'onRequestCompleted failed'),
    );
  return [
    countedRepositories(metrics),
    httpServerModule(config, {
      metrics,
      now,
      onError: (error, requestId) => log.error({ err: error, requestId }, 'request failed'),
      onRequestCompleted: (request: CompletedRequest) => {
        metrics.countRequest(request);
        logRequest(request);
        tellHost(request);
      },
    }),
    lifecycle(config, metrics, log),
  ];
}

/** Counts the calls of the repositories. */
function countedRepositories(metrics: Metrics): ContainerModule {
  return new ContainerModule(({ onActivation }) => {
    onActivation(AUTOMATION_STORE, (_context, store) => {
      const { automations, archive, search = new ScanningSearch(archive) } = store;
      metrics.observeAutomations(oncePerSecond(() => automations.countByCategory()));
      const counted = metrics.counted(automations, 'automations');
      return { ...store, automations: counted, search: metrics.counted(search, 'search') };
    });
    onActivation(CATEGORY_REPOSITORY, (_context, port) => metrics.counted(port, 'categories'));
    onActivation(API_KEY_REPOSITORY, (_context, port) => metrics.counted(port, 'api-keys'));
  });
}

function lifecycle({ currency, publicUrl }: ServiceConfig, metrics: Metrics, log: ServiceLog): ContainerModule {
  return new ContainerModule(({ bind }) => {
    bind(READINESS).toResolvedValue((storage) => new Readiness(storage, log), [STORAGE]);
    bind(SERVICE).toResolvedValue(
      (storage, { maintenance, audit }, http, readiness) => {
        const upkeep = new Upkeep(storage, maintenance, metrics, log);
        const record = { currency, address: publicUrl || undefined };
        return new Service(record, log, { storage, maintenance, upkeep, audit, http, readiness });
      },
      [STORAGE, CORE, HTTP_SERVER, READINESS],
    );
  });
}
