/**
 * The marketplace over HTTP, without a server of its own: `createHttpApp(marketplace, options).callback()` goes into
 * any server.
 * @module automation-marketplace-http
 */
import type { UseCases } from '../../application/core.js';
import { requireOptions } from '../../domain/options.js';
import { endpoints } from './endpoints.js';
import type { HttpOptions, MountedApp } from '../edge/host.js';
import { documentsForHost } from './documents/for-host.js';
import { basePath } from '../edge/middleware/base-path.js';
import { Overload } from '../edge/middleware/overload.js';
import { newProgramApp } from '../edge/middleware/program-app.js';
import { rateLimits } from '../edge/middleware/rate-limits.js';
import { checkedOptions, HTTP_OPTIONS } from './options.js';

export type {
  CompletedRequest,
  HostOptions,
  HostSignInOptions,
  HttpOptions,
  KoaMiddleware,
  MountedApp,
  RequestHandler,
} from '../edge/host.js';
export { protectServer, SERVER_OPTIONS } from '../edge/server/protect-server.js';
export { dispatcher } from '../edge/server/dispatcher.js';
export type { Applications } from '../edge/server/dispatcher.js';
export { Overload } from '../edge/middleware/overload.js';
export { DeveloperQuotas } from '../edge/middleware/quotas.js';
export type { LimitOptions, RateLimits } from '../edge/middleware/quotas.js';
export { PageQuota } from '../web/page-quota.js';
export type { PageQuotaOptions } from '../web/page-quota.js';
export type { ProtectedServer, ProtectionOptions } from '../edge/server/protect-server.js';

/**
 * Returns the four endpoints and their documents as a Koa application; `.callback()` mounts it in any server.
 * Applications of one process may share the overload protection.
 * @throws TypeError when the marketplace or an option is not as it must be.
 */
export function createHttpApp(
  marketplace: UseCases['marketplace'],
  options: HttpOptions,
  overload = new Overload(),
): MountedApp {
  requireOptions('createHttpApp', options, HTTP_OPTIONS);
  const settings = checkedOptions(marketplace, options);
  const { findRoute, run } = endpoints(settings);
  const route = [basePath(settings.documents ? documentsForHost(settings) : undefined), findRoute];
  return newProgramApp(settings, { route, respond: [rateLimits(settings.quotas), run] }, overload);
}
