import { createCatalogue, type CatalogueOptions } from '../../adapters/catalogue/index.js';
import { panelMembers } from '../../adapters/panel/members.js';
import type { CatalogueDevelopers } from '../../application/catalogue-developers.js';
import type { Catalogue } from '../../application/catalogue.js';
import type { DeveloperSessions } from '../../application/developer-sessions.js';
import type { ServiceConfig } from '../config/config.js';

type Surroundings = Pick<CatalogueOptions, 'addressOf' | 'overload' | 'onError' | 'onRequestCompleted'>;

/** Returns what makes the pages for buyers; they are undefined where they are off. Members are those of the panel. */
export function catalogueApp(config: ServiceConfig, surroundings: Surroundings) {
  const { brand, catalogue: visibility, panel, publicUrl, rateLimits, search } = config;
  return (catalogue: Catalogue, developers: CatalogueDevelopers, sessions: DeveloperSessions) => {
    if (visibility === 'off') return undefined;
    const { addressOf } = surroundings;
    const memberOf = panelMembers({ sessions, publicUrl, addressOf });
    return createCatalogue({
      ...surroundings,
      catalogue,
      developers,
      visibility,
      panel,
      brand,
      publicUrl,
      search,
      pageRateLimit: rateLimits.pages,
      ...(panel && { memberOf }),
    });
  };
}
