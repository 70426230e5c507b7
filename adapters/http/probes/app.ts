import Koa from 'koa';
import { networkOf } from '../../../domain/address.js';
import type { Context, RequestState } from '../context.js';
import type { HostOptions, MountedApp } from '../host.js';
import { PAGE_HEADERS } from '../documents/pages.js';
import { checkedHostOptions } from '../host-options.js';
import { mounted } from '../middleware/mounted.js';
import { mountedAt } from '../middleware/base-path.js';
import { clientAddress } from '../middleware/client-address.js';
import type { Overload } from '../middleware/overload.js';
import { PageQuota, type PageQuotaOptions } from '../middleware/page-quota.js';
import { lateErrors, notFound, problemDocuments } from '../middleware/problem-documents.js';
import { protocolChecks } from '../middleware/protocol-checks.js';
import { requestLog } from '../middleware/request-log.js';
import { securityHeaders } from '../middleware/security-headers.js';
import { isPageOf, withoutSlash } from '../middleware/trailing-slash.js';
import type { OpenApiOptions } from '../openapi/document.js';
import { PROBLEMS } from '../problems/catalogue.js';
import type { Problem } from '../problems/problem.js';
import { PageAssets } from '../views/assets.js';
import { DEFAULT_BRAND, type Brand } from '../views/brand.js';
import { forBrowsers } from '../views/error-page.js';
import { DOCUMENT_TEXTS } from '../views/texts.js';
import { newSite, views, type Render } from '../views/views.js';
import type { FindAccessTokens } from './resource-metadata.js';
import { siteRoutes } from './site.js';
import { healthRoutes, type Readiness } from './health.js';
import { metricsRoutes, type MetricsOptions } from './metrics.js';
import { readOnly } from '../middleware/read-only.js';

interface PagesOptions extends OpenApiOptions, PageQuotaOptions, HostOptions {
  /** Returns what the service can do now. */
  readonly readiness: () => Promise<Readiness>;
  /** Without it there is no `/metrics`. */
  readonly metrics?: MetricsOptions;
  /** Whether there is a panel to link to. */
  readonly panel: boolean;
  /** Returns whose access tokens the tools for agents take. Default: none. */
  readonly agentTokens?: FindAccessTokens | undefined;
  /** The visitors for whom there are catalogue pages. Default: none. */
  readonly catalogue?: 'members' | 'public' | 'off';
  /** Default: the name and the drawing of the package. */
  readonly brand?: Brand;
}

/**
 * Returns everything outside the bases of the API, open to everybody. Probes and metrics are answered under any load.
 */
export function createPagesApp(options: PagesOptions, overload: Overload): MountedApp {
  const { metrics, panel, agentTokens, catalogue = 'off', brand = DEFAULT_BRAND } = options;
  const host = checkedHostOptions(options);
  const { base: at, mountPath, publicUrl, trustedProxyHops, onError, onRequestCompleted } = host;
  const addressOf = ({ req }: Context) => clientAddress(req, trustedProxyHops);
  const assets = new PageAssets(brand);
  const site = newSite({
    name: brand.name,
    at,
    assets: assets.addresses(at),
    docs: true,
    catalogue: catalogue !== 'off',
    panel,
  });
  const render = views(new URL('../views/', import.meta.url), site, { texts: DOCUMENT_TEXTS });
  const app = new Koa<RequestState>();
  app.use(mountedAt(mountPath));
  app.use(requestLog(onRequestCompleted));
  app.use(securityHeaders(publicUrl, 'Authorization'));
  app.use(problemDocuments({ mountPath: at, onError, pageFor: forBrowsers(errorPage(render)) }));
  app.use(protocolChecks());
  app.use(readOnly({ ...healthRoutes(options.readiness), ...(metrics && metricsRoutes(metrics)) }).routes());
  app.use(overload.forAll());
  app.use(overload.perClient((ctx) => networkOf(addressOf(ctx))));
  app.use(readOnly(assets.routes()).routes());
  app.use(PageQuota.of(options).perVisitor({ ...host, addressOf }));
  const routes = siteRoutes(options, { render, assets, catalogue, panel, agentTokens });
  app.use(readOnly(routes).routes());
  app.use(withoutSlash(at, isPageOf(routes)));
  app.use(notFound);
  app.on('error', lateErrors(onError));
  return mounted(app);
}

function errorPage(render: Render): (ctx: Context, problem: Problem) => string {
  return (ctx, { slug, status, detail }) => {
    ctx.set(PAGE_HEADERS);
    return render('error', { title: PROBLEMS[slug].title, status, detail, requestId: ctx.state.requestId });
  };
}
