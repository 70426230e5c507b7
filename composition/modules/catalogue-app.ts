import { createCatalogue, type CatalogueCore, type CatalogueOptions } from '../../adapters/catalogue/index.js';
import type { Overload } from '../../adapters/http/middleware/overload.js';
import type { ServiceConfig } from '../config/config.js';

type Shared = Pick<CatalogueOptions, 'onError' | 'onRequestCompleted' | 'pageRateLimit' | 'trustedProxyHops'>;

/** Returns the pages for buyers; undefined where they are off. */
export function catalogueApp(config: ServiceConfig, shared: Shared, overload: Overload) {
  const { brand, catalogue: visibility, panel, publicUrl, search } = config;
  const shown = { brand, docs: true, panel, publicUrl, search };
  return (core: CatalogueCore) =>
    visibility === 'off' ? undefined : createCatalogue(core, { ...shown, ...shared, visibility }, overload);
}
