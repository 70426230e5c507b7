import { Container } from 'inversify';
import { cachedStorage } from '../adapters/storage/caches.js';
import { decorated } from '../adapters/storage/decorated.js';
import { ScanningSearch } from '../application/scanning-search.js';
import type { Currency } from '../domain/currency.js';
import type { Storage } from '../domain/ports.js';
import { coreModule } from './modules/core.js';
import { storageModule } from './modules/storage.js';
import { composeService } from './service/compose-service.js';
import { fileInspector } from './service/file-inspector.js';
import { Metrics } from './service/metrics.js';
import { oncePerSecond } from './service/readiness.js';
import type { Service } from './service/service.js';
import type { ServiceParts } from './service/service-parts.js';
import { CORE } from './tokens.js';

/** Returns the whole service over a storage. It is neither open nor does it listen yet. */
export async function newService(
  storage: Storage,
  parts: Omit<ServiceParts, 'metrics'> & { readonly currency: Currency },
): Promise<Service> {
  const { config, currency, log, host } = parts;
  const { rules, now, newId } = host;
  const metrics = new Metrics();
  const cached = cachedStorage(storage, { seconds: config.KEY_CACHE_SECONDS });
  const bound = counted(cached, metrics);
  const isSharedNetwork = config.SHARED_NETWORKS || undefined;
  const onAuditError = (err: unknown, entries: readonly object[]) =>
    log.error({ err, entries }, 'the audit could not be written');
  const ofHost = { rules, now, newId };
  const options = { brandName: config.BRAND_NAME, currency, onAuditError, isSharedNetwork, fileInspector, ...ofHost };
  const container = new Container();
  container.load(storageModule(bound), coreModule(options));
  return composeService(container.get(CORE), bound, { ...parts, metrics });
}

/**
 * Returns the same storage. Calls of automations, categories, keys and searches are counted, also those that a cache
 * answers.
 */
function counted(storage: Storage, metrics: Metrics): Storage {
  const { automations, archive, search = new ScanningSearch(archive), categories, keys } = storage;
  metrics.observeAutomations(oncePerSecond(() => automations.countByCategory()));
  return decorated(storage, {
    automations: metrics.counted(automations, 'automations'),
    search: metrics.counted(search, 'search'),
    categories: metrics.counted(categories, 'categories'),
    keys: metrics.counted(keys, 'api-keys'),
  });
}
