import Koa from 'koa';
import type { Marketplace } from '../../application/marketplace.js';
import { credentials } from './credentials.js';
import { endpoints, router } from './endpoints.js';
import { lateFailures, nothingHere, problemDocuments } from './errors.js';
import type { Exchange, HttpOptions, Service } from './exchange.js';
import { requestIds } from './request-id.js';
import { safeHeaders } from './safe-headers.js';
import { bases } from './target.js';
import { wireChecks } from './wire.js';

export type { HttpOptions } from './exchange.js';

/**
 * The four endpoints as a Koa application; `.callback()` mounts it in any server. The stack is the order in which a request is
 * checked, cheap things first, and nobody learns of a route without a key.
 */
export function createHttpApp(marketplace: Marketplace, options: HttpOptions): Koa<Exchange> {
  const service: Service = { mountPath: '', publicUrl: '', resourceMetadata: '', onError: () => undefined, ...options, marketplace };
  const app = new Koa<Exchange>();
  app.use(requestIds());
  app.use(safeHeaders());
  app.use(problemDocuments(service));
  app.use(wireChecks());
  app.use(bases());
  app.use(credentials(service.verifier));
  app.use(router(endpoints(service)).routes());
  app.use(nothingHere);
  app.on('error', lateFailures(service.onError));
  return app;
}
