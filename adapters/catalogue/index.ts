/**
 * The catalogue: pages on which buyers find automations, with feeds and sitemaps.
 * @module automation-marketplace-pages/catalogue
 */
import { requireOptions, requireParts } from '../../domain/options.js';
import type { MountedApp } from '../edge/host.js';
import {
  assertOption,
  checkedFilesPath,
  checkedHostOptions,
  checkedN8nUrls,
  type HostSettings,
} from '../edge/host-options.js';
import { clientAddress } from '../edge/middleware/client-address.js';
import { hostSignInOf } from '../web/host-sign-in.js';
import { Overload } from '../edge/middleware/overload.js';
import { PageQuota } from '../web/page-quota.js';
import { pathParameter, readOnly, readsOf, routing, type Route, type Routes } from '../edge/middleware/routing.js';
import { newPageApp } from '../web/page-app.js';
import { findSignedIn } from '../web/signed-in.js';
import { PageAssets } from '../web/views/assets.js';
import { DEFAULT_BRAND } from '../web/views/brand.js';
import { BUILD } from '../web/views/build.js';
import { errorPage, noSuchPage } from '../web/views/error-page.js';
import { newSite, views } from '../web/views/views.js';
import { Addresses } from './addresses.js';
import { showAutomation } from './detail-page.js';
import { showDeveloper } from './developer-page.js';
import { sendFeed } from './feed.js';
import { showList } from './list-page.js';
import { ListedParts } from './listed-parts.js';
import type { CatalogueApp } from './app.js';
import { CATALOGUE_OPTIONS, type CatalogueCore, type CatalogueOptions } from './options.js';
import { Pictures } from './pictures.js';
import { SharedBodies } from './shared-bodies.js';
import { reportAutomation, showReport } from './report-page.js';
import { ReportLimits } from './report-limits.js';
import { sendSitemap, sendSitemapPart } from './sitemap.js';
import { TEXTS } from './texts.js';
import { feedFor, pageFor } from './visitors.js';

export type { Brand, Logo } from '../web/views/brand.js';
export type { PageOptions } from '../web/page-options.js';
export type { CatalogueCore, CatalogueOptions, DrawFile } from './options.js';

/**
 * Returns the catalogue as a Koa application: pages for buyers, feeds and sitemaps, at `/catalogue` and `/sitemap.xml`
 * under the mount path. Applications of one process may share the overload protection.
 * @throws TypeError when an option is not as it must be.
 */
export function createCatalogue(
  core: CatalogueCore,
  options: CatalogueOptions = {},
  overload = new Overload(),
): MountedApp {
  requireOptions('createCatalogue', options, CATALOGUE_OPTIONS);
  requireParts('createCatalogue', 'a core', core, ['catalogue', 'profiles', 'sessions']);
  const host = checkedHostOptions(options);
  const assets = new PageAssets(options.brand ?? DEFAULT_BRAND);
  const app = newCatalogueApp(core, options, host, assets);
  const front = app.addresses.catalogue;
  const served = {
    files: readOnly(assets.routes('/catalogue')),
    pages: routing([...readsOf(routes(app)), ...reportRoutes(app)]),
    notFound: noSuchPage,
    front,
  };
  const signIn = app.panel || app.host !== undefined ? findSignedIn(app) : undefined;
  const visitors = { addressOf: app.addressOf, signIn, quota: PageQuota.of(options) };
  return newPageApp({ ...host, pageFor: errorPage(app.render), ...visitors, ...served }, overload);
}

function newCatalogueApp(
  core: CatalogueCore,
  options: CatalogueOptions,
  { base, publicUrl, trustedProxyHops, isSharedNetwork }: HostSettings,
  assets: PageAssets,
): CatalogueApp {
  const { panel = false, apps = false, docs = false, search = true } = options;
  const host = hostSignInOf(options);
  const hasSignIn = panel || host !== undefined;
  const { visibility = hasSignIn ? 'members' : 'public' } = options;
  assertOption(hasSignIn || visibility === 'public', 'visibility must be public where there is no panel to sign in');
  const { drawFile } = options;
  assertOption(drawFile === undefined || typeof drawFile === 'function', 'drawFile must be a function');
  const addresses = new Addresses(base, checkedFilesPath(options.filesPath));
  const { name } = options.brand ?? DEFAULT_BRAND;
  const home = docs ? `${base}/` : addresses.catalogue;
  const files = assets.addresses(addresses.catalogue);
  const site = newSite({ name, at: base, home, assets: files, docs, catalogue: true, panel });
  const render = views(new URL('./templates/', import.meta.url), site, {
    addresses,
    texts: TEXTS,
    current: 'catalogue',
  });
  const addressOf: CatalogueApp['addressOf'] = (request) => clientAddress(request, trustedProxyHops);
  const n8nUrls = options.n8nUrls === undefined ? [] : checkedN8nUrls(options.n8nUrls);
  const shown = { visibility, panel, apps, search, n8nUrls, publicUrl, base };
  const takesReports = core.reports !== undefined;
  const ofFiles = [options.filesPath, drawFile !== undefined];
  // The formats of prices and dates come with Node.
  const fingerprint = JSON.stringify([BUILD, process.version, site, shown, ofFiles, takesReports]);
  const { catalogue } = core;
  const pictures = new Pictures(catalogue, drawFile);
  const kept = { bodies: new SharedBodies(), listed: new ListedParts(catalogue), pictures };
  const reportLimits = new ReportLimits(isSharedNetwork);
  return { ...core, ...shown, ...kept, reportLimits, host, addresses, render, addressOf, fingerprint };
}

function routes(app: CatalogueApp): Routes {
  const sitemaps: Routes = {
    '/sitemap.xml': pageFor(app, sendSitemap),
    '/sitemap-:part.xml': pageFor(app, (ctx) => sendSitemapPart(ctx, app, pathParameter(ctx, 'part'))),
  };
  return {
    '/catalogue': pageFor(app, showList),
    '/catalogue/feed.atom': feedFor(app, sendFeed),
    '/catalogue/developers/:developer': pageFor(app, (ctx) => showDeveloper(ctx, app, pathParameter(ctx, 'developer'))),
    '/catalogue/:id': pageFor(app, (ctx) => showAutomation(ctx, app, pathParameter(ctx, 'id'))),
    ...(app.visibility === 'public' && sitemaps),
  };
}

/** The form of an automation that reports it. */
function reportRoutes(app: CatalogueApp): readonly Route[] {
  const { reports } = app;
  const path = '/catalogue/:id/report';
  if (reports === undefined) return [];
  return [
    { method: 'GET', path, answer: pageFor(app, showReport) },
    { method: 'POST', path, answer: pageFor(app, (ctx) => reportAutomation(ctx, app, reports)) },
  ];
}
