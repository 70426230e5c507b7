import type { Context, Handler, HttpSettings } from '../context.js';
import { notFound } from '../middleware/problem-documents.js';
import { readOnly } from '../middleware/read-only.js';
import { publicPath } from '../public-url.js';
import { PageAssets } from '../views/assets.js';
import { DEFAULT_BRAND } from '../views/brand.js';
import { DOCUMENT_TEXTS } from '../views/texts.js';
import { newSite, views } from '../views/views.js';
import { documentPages } from './pages.js';
import { version } from './version.js';

/** Serves the documents of an application that a host mounts. Their files are read at the first request. */
export function documentsForHost(settings: HttpSettings): Handler {
  let serve: ((ctx: Context) => Promise<void>) | undefined;
  return async (ctx) => {
    serve ??= newDocuments(settings);
    await serve(ctx);
  };
}

function newDocuments({ marketplace, mountPath, publicUrl, search }: HttpSettings): (ctx: Context) => Promise<void> {
  const at = publicPath(publicUrl) + mountPath;
  const { name } = DEFAULT_BRAND;
  const assets = new PageAssets(DEFAULT_BRAND);
  const parts = { docs: false, catalogue: false, panel: false };
  const site = newSite({ name, at, home: `${at}/problems`, assets: assets.addresses(at), ...parts });
  const render = views('/http/views/', site, { texts: DOCUMENT_TEXTS });
  const document = { currency: marketplace.currency, version: version(), mountPath, publicUrl, search };
  const routes = readOnly({ ...documentPages(document, render), ...assets.routes() }).routes();
  return async (ctx) => void (await routes(ctx as Parameters<typeof routes>[0], async () => notFound()));
}
