import { fileURLToPath, pathToFileURL } from 'node:url';
import { Eta } from 'eta';
import type { AssetAddresses } from './assets.js';
import { icon } from './icons.js';
import { mainEntries, type NavigationEntry, type Parts } from './navigation.js';
import { COMMON_TEXTS } from './texts.js';

/**
 * Fills a template; values are always text, never markup. A name that begins with `/web/views/` is a template that
 * all pages share.
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

/** Begins the names of the templates that all pages share. They stand next to this file. */
const SHARED = '/web/views/';

/**
 * Returns a renderer of the templates in a folder. Each can also use the shared values, and `/web/views/layout` is
 * the same file for all, wherever the folder is: it may be in another package.
 */
export function views(folder: URL, site: Site, shared: object = {}): Render {
  const eta = new Eta({ cache: true, autoTrim: ['nl', false] });
  eta.resolvePath = (template, options) => {
    const isShared = template.startsWith(SHARED);
    const from = options?.filepath && template.startsWith('.') ? pathToFileURL(options.filepath) : folder;
    const path = isShared ? `./${template.slice(SHARED.length)}` : template;
    return fileURLToPath(new URL(`${path}.eta`, isShared ? import.meta.url : from));
  };
  const values = { site, common: COMMON_TEXTS, icon, ...shared };
  return (template, data) => eta.render(template, { ...values, ...data });
}
