import { createCatalogue, type CatalogueCore, type CatalogueOptions } from '../../adapters/catalogue/index.js';
import type { Overload } from '../../adapters/http/middleware/overload.js';
import type { ServiceConfig } from '../config/config.js';

type Observers = Pick<CatalogueOptions, 'onError' | 'onRequestCompleted'>;

/** Returns the pages for buyers; undefined where they are off. */
export function catalogueApp(config: ServiceConfig, observers: Observers, overload: Overload) {
  const { brand, catalogue: visibility, panel, publicUrl, rateLimits, search, trustedProxyHops } = config;
  const shown = { brand, docs: true, panel, publicUrl, search, trustedProxyHops, pageRateLimit: rateLimits.pages };
  return (core: CatalogueCore) =>
    visibility === 'off' ? undefined : createCatalogue(core, { ...shown, ...observers, visibility }, overload);
}
