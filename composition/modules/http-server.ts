import 'reflect-metadata';
import { ContainerModule } from 'inversify';
import { createHttpApp, DeveloperQuotas, protectServer } from '../../adapters/http/index.js';
import type { OnError, OnRequestCompleted } from '../../adapters/http/context.js';
import { VERSION } from '../../adapters/http/documents/version.js';
import { Overload } from '../../adapters/http/middleware/overload.js';
import { PageQuota } from '../../adapters/http/middleware/page-quota.js';
import { createPagesApp } from '../../adapters/http/probes/app.js';
import { METADATA_PATH } from '../../adapters/http/probes/resource-metadata.js';
import { dispatcher } from '../../adapters/http/server/dispatcher.js';
import { publicPath } from '../../adapters/http/public-url.js';
import { createHttpServer } from '../../adapters/http/server/server.js';
import { createPanel, type PanelOptions } from '../../adapters/panel/index.js';
import type { ServiceConfig } from '../config/config.js';
import { readTls } from '../config/tls.js';
import type { Metrics } from '../service/metrics.js';
import { CATALOGUE_APP, HTTP_SERVER, PAGES_APP, PANEL_APP, READINESS } from '../service/tokens.js';
import { CORE, HTTP_APP } from '../tokens.js';
import { catalogueApp } from './catalogue-app.js';

interface Observers {
  /** The clock of the panel. */
  readonly now: PanelOptions['now'];
  readonly metrics: Metrics;
  readonly onError: OnError;
  readonly onRequestCompleted: OnRequestCompleted;
}

/** The API, the pages and the panel on one server, behind one overload protection. */
export function httpServerModule(config: ServiceConfig, { metrics, now, ...observers }: Observers): ContainerModule {
  const { accessTokens, brand, catalogue, currency, panel, publicUrl, rateLimits, search, tls, trustedProxyHops } =
    config;
  const overload = new Overload();
  const { reads, creates, failedAuthentications, pages } = rateLimits;
  const visitors = { trustedProxyHops, pageRateLimit: new PageQuota(pages) };
  metrics.observeLoad(overload);
  const resourceMetadata = accessTokens && publicUrl ? `${publicUrl}${METADATA_PATH}` : '';
  const quotas = new DeveloperQuotas({ reads, creates });
  const limits = { quotas, rateLimits: { failedAuthentications } };
  const options = { publicUrl, trustedProxyHops, ...limits, resourceMetadata, search, ...observers };
  const document = { currency, version: VERSION, publicUrl, search, ...(accessTokens && { accessTokens }) };
  const scraping = { token: config.metricsToken, text: () => metrics.text() };
  return new ContainerModule(({ bind }) => {
    bind(HTTP_APP).toResolvedValue(
      ({ marketplace, verifier }) => createHttpApp(marketplace, { ...options, verifier, documents: false }, overload),
      [CORE],
    );
    bind(PAGES_APP).toResolvedValue(
      ({ state }) =>
        createPagesApp(
          { ...document, brand, catalogue, panel, readiness: state, metrics: scraping, ...visitors, ...observers },
          overload,
        ),
      [READINESS],
    );
    bind(PANEL_APP).toResolvedValue(
      (core) => {
        const shown = { brand, search, docs: true, catalogue: catalogue !== 'off', quotas, now };
        return createPanel(core, { ...shown, publicUrl, ...visitors, ...observers }, overload);
      },
      [CORE],
    );
    bind(CATALOGUE_APP).toResolvedValue(catalogueApp(config, { ...visitors, ...observers }, overload), [CORE]);
    bind(HTTP_SERVER).toResolvedValue(
      (api, pages, panelApp, catalogueApp) => {
        const applications = {
          api: api.callback(),
          pages: pages.callback(),
          ...(panel && { panel: panelApp.callback() }),
          ...(catalogueApp && { catalogue: catalogueApp.callback() }),
        };
        const handler = dispatcher(applications);
        const server = createHttpServer(handler, tls && readTls(tls));
        const { onRequestCompleted } = observers;
        const protection = { keepAliveSeconds: config.keepAliveSeconds, mountPath: publicPath(publicUrl) };
        return { server, handler, ...protectServer(server, { onRequestCompleted, ...protection }) };
      },
      [HTTP_APP, PAGES_APP, PANEL_APP, CATALOGUE_APP],
    );
  });
}
