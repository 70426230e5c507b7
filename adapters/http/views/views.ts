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
  readonly entries: readonly NavigationEntry[];
  readonly panel: boolean;
}

export interface SiteOptions extends Parts {
  readonly name: string;
  readonly at: string;
  readonly assets: AssetAddresses;
}

/** The templates of all pages: `/http/views/layout` is the same file for each of them. */
const TEMPLATES = new URL('../../', import.meta.url);

export function newSite({ name, at, assets, ...parts }: SiteOptions): Site {
  return { ...assets, name, at, entries: mainEntries(at, parts), panel: parts.panel };
}

/**
 * Returns a renderer of the templates in a folder of `adapters/`, such as `/panel/templates/`. Each can also use the
 * shared values.
 */
export function views(folder: string, site: Site, shared: object = {}): Render {
  const eta = new Eta({ views: fileURLToPath(TEMPLATES), cache: true, autoTrim: ['nl', false] });
  const values = { site, common: COMMON_TEXTS, icon, ...shared };
  const pathOf = (template: string) => (template.startsWith('/') ? template : `${folder}${template}`);
  return (template, data) => eta.render(pathOf(template), { ...values, ...data });
}
