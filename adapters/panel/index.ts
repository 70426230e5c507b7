/**
 * The panel: pages on which developers and operators manage keys, automations and accounts.
 * @module automation-marketplace/panel
 */
import type Koa from 'koa';
import { checkedHostOptions, type HostSettings } from '../http/host-options.js';
import { clientAddress } from '../http/middleware/client-address.js';
import { Overload } from '../http/middleware/overload.js';
import { newPageApp } from '../http/middleware/page-app.js';
import { DeveloperQuotas } from '../http/middleware/quotas.js';
import { PageQuota } from '../http/middleware/page-quota.js';
import { findSignedIn } from '../http/middleware/signed-in.js';
import type { Problem } from '../http/problems/problem.js';
import { DEFAULT_BRAND } from '../http/views/brand.js';
import { PageAssets } from '../http/views/assets.js';
import { newSite, views } from '../http/views/views.js';
import { MARKETPLACE_HISTORY, OWN_HISTORY } from './history-view.js';
import { categoriesPages } from './operator/categories.js';
import { developerKeyPages } from './operator/developer-keys.js';
import { oneDeveloperPages } from './operator/developer.js';
import { developersPages } from './operator/developers.js';
import { errorText } from './page-errors.js';
import { TEXTS } from './texts.js';
import { oneAutomationPages } from './pages/automation.js';
import { accountPages } from './pages/account.js';
import { automationPages } from './pages/automations.js';
import { historyPages } from './pages/history.js';
import { keyPages } from './pages/keys.js';
import { overviewPages } from './pages/overview.js';
import { previewPages } from './pages/preview.js';
import { publishingPages } from './pages/publish.js';
import { revisionPages } from './pages/revise.js';
import { renamingPages } from './pages/rename.js';
import { rotationPages } from './pages/rotate.js';
import { signInPages } from './pages/sign-in.js';
import { welcomePages } from './pages/welcome.js';
import { notFound, routing, type Resource } from './routes.js';
import { EVERYONES_SHELF, OWN_SHELF, type Shelf } from './shelf.js';
import type { Context, Panel, PanelCore, PanelOptions } from './visit.js';

export type { Brand, Logo } from '../http/views/brand.js';
export type { PanelCore, PanelOptions } from './visit.js';

/** Nothing but the panel's own files, no script in a page, no frame around it. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
  "form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/**
 * Returns the panel as a Koa application: pages for people with a browser, at `/panel` under the mount path.
 * Applications of one process may share the overload protection.
 * @throws TypeError when an option is not as it must be.
 */
export function createPanel(core: PanelCore, options: PanelOptions = {}, overload = new Overload()): Koa {
  const host = checkedHostOptions(options);
  const assets = new PageAssets(options.brand ?? DEFAULT_BRAND);
  const panel = newPanel(core, options, host, assets);
  const pageFor = (ctx: Context, problem: Problem) =>
    panel.render('/http/views/error', errorText(problem, ctx, panel.at));
  const { addressOf } = panel;
  const served = { files: routing(filesOf(assets)), pages: routing(resources(panel)), notFound };
  const accountOf = async (ctx: Context) => (await findSignedIn(ctx, panel))?.account.id;
  const visitors = { addressOf, accountOf, quota: PageQuota.of(options) };
  return newPageApp({ ...host, policy: POLICY, pageFor, ...visitors, ...served }, overload);
}

function newPanel(
  core: PanelCore,
  options: PanelOptions,
  { base, publicUrl, trustedProxyHops }: HostSettings,
  assets: PageAssets,
): Panel {
  const { search = true, catalogue = false, docs = false, now = () => new Date() } = options;
  const { quotas = new DeveloperQuotas() } = options;
  const at = `${base}/panel`;
  const { name } = options.brand ?? DEFAULT_BRAND;
  const home = docs ? `${base}/` : at;
  const site = newSite({ name, at: base, home, assets: assets.addresses(at), docs, catalogue, panel: true });
  const render = views('/panel/templates/', site, { at, texts: TEXTS, isPrivate: true, usesScript: true });
  const addressOf: Panel['addressOf'] = (request) => clientAddress(request, trustedProxyHops);
  return { ...core, publicUrl, search, catalogue, docs, quotas, now, at, base, render, addressOf };
}

function filesOf(assets: PageAssets): Readonly<Record<string, Resource>> {
  return Object.fromEntries(Object.entries(assets.routes()).map(([path, GET]) => [path, { GET }]));
}

/** The pages, by the path below `/panel`. */
function resources(panel: Panel): Readonly<Record<string, Resource>> {
  return {
    ...overviewPages(panel),
    ...signInPages(panel),
    ...welcomePages(panel),
    ...keyPages(panel),
    ...renamingPages(panel),
    ...rotationPages(panel),
    ...publishingPages(panel),
    ...previewPages(panel),
    ...shelfPages(panel, OWN_SHELF),
    ...historyPages(panel, OWN_HISTORY),
    ...accountPages(panel),
    ...categoriesPages(panel),
    ...developersPages(panel),
    ...oneDeveloperPages(panel),
    ...developerKeyPages(panel),
    ...shelfPages(panel, EVERYONES_SHELF),
    ...historyPages(panel, MARKETPLACE_HISTORY),
  };
}

/** The pages of a list of automations. */
function shelfPages(panel: Panel, shelf: Shelf): Readonly<Record<string, Resource>> {
  return {
    ...automationPages(panel, shelf),
    ...oneAutomationPages(panel, shelf),
    ...revisionPages(panel, shelf),
  };
}
