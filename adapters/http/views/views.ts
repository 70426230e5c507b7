import { fileURLToPath } from 'node:url';
import { Eta } from 'eta';
import type { AssetAddresses } from './assets.js';
import { icon } from './icons.js';
import { mainEntries, type NavigationEntry, type Parts } from './navigation.js';
import { COMMON_TEXTS } from './texts.js';

/**
 * Fills a template; values are always text, never markup. A name that begins with a slash is a path in `adapters/`,
 * such as `/http/views/error`.
 */
export type Render = (template: string, data?: object) => string;

/** What every page shows of the marketplace. */
export interface Site extends AssetAddresses {
  readonly name: string;
  /** The public path of the service: every address begins with it. */
  readonly at: string;
  /** The start page, to which the name leads. */
  readonly home: string;
  readonly entries: readonly NavigationEntry[];
  readonly panel: boolean;
}

export interface SiteOptions extends Parts {
  readonly name: string;
  readonly at: string;
  /** Default: the start of the service. */
  readonly home?: string | undefined;
  readonly assets: AssetAddresses;
}

export function newSite({ name, at, home = `${at}/`, assets, ...parts }: SiteOptions): Site {
  return { ...assets, name, at, home, entries: mainEntries(at, parts), panel: parts.panel };
}

/**
 * Returns a renderer of the templates in a folder of `adapters/`, such as `/panel/templates/`. Each can also use the
 * shared values, and `/http/views/layout` is the same file for all.
 */
export function views(folder: string, site: Site, shared: object = {}): Render {
  const adapters = fileURLToPath(new URL('../../', import.meta.url));
  const eta = new Eta({ views: adapters, cache: true, autoTrim: ['nl', false] });
  const values = { site, common: COMMON_TEXTS, icon, ...shared };
  const pathOf = (template: string) => (template.startsWith('/') ? template : `${folder}${template}`);
  return (template, data) => eta.render(pathOf(template), { ...values, ...data });
}
