/**
 * The panel: pages on which developers and operators manage keys, automations and accounts.
 * @module automation-marketplace/panel
 */
import Koa from 'koa';
import { checkedHostOptions } from '../http/host-options.js';
import { clientAddress } from '../http/middleware/client-address.js';
import { Overload } from '../http/middleware/overload.js';
import { lateErrors, problemDocuments } from '../http/middleware/problem-documents.js';
import { protocolChecks } from '../http/middleware/protocol-checks.js';
import { requestLog } from '../http/middleware/request-log.js';
import { securityHeaders } from '../http/middleware/security-headers.js';
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
import type { Panel, PanelCore, PanelOptions, Visit } from './visit.js';

export type { Brand, Logo } from '../http/views/brand.js';
export type { PanelCore, PanelOptions } from './visit.js';

/**
 * Nothing but the panel's own files, no script in a page, no frame around it. The referrer stays within the panel's
 * host, because some addresses contain tokens; `no-referrer` would make browsers send `Origin: null` with our own forms
 * (Fetch standard).
 */
const HEADERS = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'same-origin',
};

/**
 * Returns the panel as a Koa application: pages for people with a browser, at `/panel` under the mount path.
 * Applications of one process may share the overload protection.
 * @throws TypeError when an option is not as it must be.
 */
export function createPanel(core: PanelCore, options: PanelOptions = {}, overload = new Overload()): Koa {
  const { onError, onRequestCompleted, publicUrl } = checkedHostOptions(options);
  const assets = new PageAssets(options.brand ?? DEFAULT_BRAND);
  const panel = newPanel(core, options, assets);
  const pageFor: Parameters<typeof problemDocuments>[0]['pageFor'] = (ctx, problem) =>
    panel.render('/http/views/error', errorText(problem, ctx, panel.at));
  const app = new Koa<Visit>();
  app.use(requestLog(onRequestCompleted));
  app.use(securityHeaders(publicUrl, 'Cookie', HEADERS));
  app.use(problemDocuments({ mountPath: '', onError, pageFor }));
  app.use(overload.forAll());
  app.use(protocolChecks());
  app.use(overload.perClient(({ req }) => panel.addressOf(req)));
  app.use(routing({ ...resources(panel), ...filesOf(assets) }).routes());
  app.use(notFound);
  app.on('error', lateErrors(onError));
  return app;
}

function newPanel(core: PanelCore, options: PanelOptions, assets: PageAssets): Panel {
  const { search = true, catalogue = false, docs = false, now = () => new Date() } = options;
  const { base, publicUrl, trustedProxyHops } = checkedHostOptions(options);
  const at = `${base}/panel`;
  const { name } = options.brand ?? DEFAULT_BRAND;
  const home = docs ? `${base}/` : at;
  const site = newSite({ name, at: base, home, assets: assets.addresses(at), docs, catalogue, panel: true });
  const render = views('/panel/templates/', site, { at, texts: TEXTS, isPrivate: true, usesScript: true });
  const addressOf: Panel['addressOf'] = (request) => clientAddress(request, trustedProxyHops);
  return { ...core, publicUrl, search, catalogue, docs, now, at, base, render, addressOf };
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
