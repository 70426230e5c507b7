import Koa from 'koa';
import { randomUUID } from 'node:crypto';
import type { Context, RequestState } from '../http/context.js';
import { lateErrors, notFound, problemDocuments } from '../http/middleware/problem-documents.js';
import { protocolChecks } from '../http/middleware/protocol-checks.js';
import { readOnly, type Routes } from '../http/middleware/read-only.js';
import { requestLog } from '../http/middleware/request-log.js';
import { securityHeaders } from '../http/middleware/security-headers.js';
import { PageAssets } from '../http/views/assets.js';
import { DEFAULT_BRAND } from '../http/views/brand.js';
import { newSite, views } from '../http/views/views.js';
import { Addresses } from './addresses.js';
import { showAutomation } from './detail-page.js';
import { showDeveloper } from './developer-page.js';
import { errorPage } from './error-page.js';
import { sendFeed } from './feed.js';
import { showList } from './list-page.js';
import type { CatalogueOptions, Shop } from './options.js';
import { sendSitemap, sendSitemapPart } from './sitemap.js';
import { TEXTS } from './texts.js';
import { visitorPages } from './visitors.js';

export type { CatalogueOptions } from './options.js';

/** Nothing but the service's own files, no script in a page, no frame around it. Data for programs is no script. */
const HEADERS = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; " +
    "frame-ancestors 'none'",
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'same-origin',
};

/** The catalogue as a Koa application: pages for buyers at `/catalogue` and below, feeds, and sitemaps. */
export function createCatalogue(options: CatalogueOptions): Koa<RequestState> {
  const { addressOf, brand = DEFAULT_BRAND, onError, overload, panel, publicUrl } = options;
  const addresses = new Addresses(publicUrl);
  const assets = new PageAssets(brand).addresses(addresses.root);
  const site = newSite({ name: brand.name, at: addresses.root, assets, docs: true, catalogue: true, panel });
  const render = views('/catalogue/templates/', site, { addresses, texts: TEXTS, current: 'catalogue' });
  const shop: Shop = { ...options, addresses, render, processId: randomUUID() };
  const app = new Koa<RequestState>();
  app.use(requestLog(options.onRequestCompleted));
  app.use(securityHeaders(publicUrl, 'Cookie', HEADERS));
  app.use(problemDocuments({ mountPath: '', onError, pageFor: errorPage(shop) }));
  app.use(overload.forAll());
  app.use(protocolChecks());
  app.use(overload.perClient(({ req }) => addressOf(req)));
  app.use(readOnly(routes(shop)).routes());
  app.use(notFound);
  app.on('error', lateErrors(onError));
  return app;
}

function routes(shop: Shop): Routes {
  const page = visitorPages(shop);
  const sitemaps: Routes = {
    '/sitemap.xml': page((ctx) => sendSitemap(ctx, shop)),
    '/sitemap-:part.xml': page((ctx) => sendSitemapPart(ctx, shop, parameterOf(ctx, 'part'))),
  };
  return {
    '/catalogue': page((ctx, member) => showList(ctx, shop, member)),
    '/catalogue/feed.atom': page((ctx, member) => sendFeed(ctx, shop, member)),
    '/catalogue/developers/:developer': page((ctx, member) =>
      showDeveloper(ctx, shop, member, parameterOf(ctx, 'developer')),
    ),
    '/catalogue/:id': page((ctx, member) => showAutomation(ctx, shop, member, parameterOf(ctx, 'id'))),
    ...(shop.visibility === 'public' && sitemaps),
  };
}

function parameterOf(ctx: Context, name: string): string {
  return (ctx as Context & { readonly params: Readonly<Record<string, string>> }).params[name] ?? '';
}
