import Koa from 'koa';
import { networkOf } from '../../../domain/address.js';
import type { Context, RequestState } from '../../edge/context.js';
import type { HostOptions, MountedApp } from '../../edge/host.js';
import { PAGE_HEADERS } from './pages.js';
import { checkedHostOptions } from '../../edge/host-options.js';
import { mounted } from '../../edge/middleware/mounted.js';
import { mountedAt } from '../../edge/middleware/base-path.js';
import { clientAddress } from '../../edge/middleware/client-address.js';
import type { Overload } from '../../edge/middleware/overload.js';
import { PageQuota, type PageQuotaOptions } from '../../web/page-quota.js';
import { lateErrors, notFound, problemDocuments } from '../../edge/middleware/problem-documents.js';
import { protocolChecks } from '../../edge/middleware/protocol-checks.js';
import { requestLog } from '../../edge/middleware/request-log.js';
import { securityHeaders } from '../../edge/middleware/security-headers.js';
import { isPageOf, withoutSlash } from '../../edge/middleware/trailing-slash.js';
import type { OpenApiOptions } from '../openapi/document.js';
import { PROBLEMS } from '../../edge/problems/table.js';
import type { Problem } from '../../edge/problems/problem.js';
import { PageAssets } from '../../web/views/assets.js';
import { DEFAULT_BRAND, type Brand } from '../../web/views/brand.js';
import { forBrowsers } from '../../web/views/error-page.js';
import { DOCUMENT_TEXTS } from '../../web/views/texts.js';
import { newSite, views, type Render } from '../../web/views/views.js';
import type { FindAccessTokens } from './resource-metadata.js';
import { siteRoutes } from './site.js';
import { healthRoutes, type Readiness } from '../../edge/probes/health.js';
import { metricsRoutes, type MetricsOptions } from '../../edge/probes/metrics.js';
import { readOnly } from '../../edge/middleware/routing.js';

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
  const render = views(new URL('../../web/views/', import.meta.url), site, { texts: DOCUMENT_TEXTS });
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
