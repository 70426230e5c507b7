import type { Context, Handler, HttpSettings } from '../../edge/context.js';
import { notFound } from '../../edge/middleware/problem-documents.js';
import { readOnly } from '../../edge/middleware/routing.js';
import { isPageOf, withoutSlash } from '../../edge/middleware/trailing-slash.js';
import { PageAssets } from '../../web/views/assets.js';
import { DEFAULT_BRAND } from '../../web/views/brand.js';
import { DOCUMENT_TEXTS } from '../../web/views/texts.js';
import { newSite, views } from '../../web/views/views.js';
import { documentPages } from './pages.js';
import { VERSION } from './version.js';

/** Serves the documents of an application that a host mounts. Their files are read at the first request. */
export function documentsForHost(settings: HttpSettings): Handler {
  let serve: ((ctx: Context) => Promise<void>) | undefined;
  return async (ctx) => {
    serve ??= newDocuments(settings);
    await serve(ctx);
  };
}

function newDocuments(settings: HttpSettings): (ctx: Context) => Promise<void> {
  const { marketplace, base, mountPath, publicUrl, search } = settings;
  const { name } = DEFAULT_BRAND;
  const assets = new PageAssets(DEFAULT_BRAND);
  const parts = { docs: false, catalogue: false, panel: false };
  const home = `${base}/problems`;
  const site = newSite({ name, at: base, home, assets: assets.addresses(base), ...parts });
  const render = views(new URL('../../web/views/', import.meta.url), site, { texts: DOCUMENT_TEXTS });
  const document = { currency: marketplace.currency, version: VERSION, mountPath, publicUrl, search };
  const pages = documentPages(document, render);
  const routes = readOnly({ ...pages, ...assets.routes() }).routes();
  const slashes = withoutSlash(base, isPageOf(pages));
  return async (ctx) => {
    const unknown = async () => void (await slashes(ctx, async () => notFound()));
    await routes(ctx as Parameters<typeof routes>[0], unknown);
  };
}
