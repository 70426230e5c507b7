/**
 * The marketplace over HTTP, without a server of its own: `createHttpApp(marketplace, options).callback()` goes into
 * any server.
 * @module automation-marketplace-http
 */
import Koa from 'koa';
import type { UseCases } from '../../application/core.js';
import { requireOptions } from '../../domain/options.js';
import { endpoints } from './api/endpoints.js';
import type { Context, HttpOptions, RequestState } from './context.js';
import { documentsForHost } from './documents/for-host.js';
import { basePath } from './middleware/base-path.js';
import { authentication } from './middleware/authentication.js';
import { clientAddress } from './middleware/client-address.js';
import { Overload } from './middleware/overload.js';
import { lateErrors, problemDocuments } from './middleware/problem-documents.js';
import { protocolChecks } from './middleware/protocol-checks.js';
import { failedAuthentications, rateLimits } from './middleware/rate-limits.js';
import { requestLog } from './middleware/request-log.js';
import { securityHeaders } from './middleware/security-headers.js';
import { checkedOptions, HTTP_OPTIONS } from './options.js';

export type { HostSignInOptions } from './middleware/host-sign-in.js';
export type { CompletedRequest, HostOptions, HttpOptions } from './context.js';
export { protectServer, SERVER_OPTIONS } from './server/protect-server.js';
export { dispatcher } from './server/dispatcher.js';
export type { Applications } from './server/dispatcher.js';
export { Overload } from './middleware/overload.js';
export { DeveloperQuotas } from './middleware/quotas.js';
export type { LimitOptions, RateLimits } from './middleware/quotas.js';
export { PageQuota } from './middleware/page-quota.js';
export type { PageQuotaOptions } from './middleware/page-quota.js';
export type { ProtectedServer, ProtectionOptions } from './server/protect-server.js';

/**
 * Returns the four endpoints and their documents as a Koa application; `.callback()` mounts it in any server. The stack
 * is the order in which a request is checked, cheap checks first; a client without a valid key learns nothing of the
 * endpoints. Applications of one process may share the overload protection.
 * @throws TypeError when the marketplace or an option is not as it must be.
 */
export function createHttpApp(
  marketplace: UseCases['marketplace'],
  options: HttpOptions,
  overload = new Overload(),
): Koa {
  requireOptions('createHttpApp', options, HTTP_OPTIONS);
  const settings = checkedOptions(marketplace, options);
  const addressOf = ({ req }: Context) => clientAddress(req, settings.trustedProxyHops);
  const { findRoute, run } = endpoints(settings);
  const app = new Koa<RequestState>();
  app.use(requestLog(settings.onRequestCompleted));
  app.use(securityHeaders(settings.publicUrl, 'Authorization'));
  app.use(problemDocuments({ ...settings, mountPath: settings.base }));
  app.use(overload.forAll());
  app.use(protocolChecks());
  app.use(basePath(settings.documents ? documentsForHost(settings) : undefined));
  app.use(findRoute);
  app.use(authentication(settings, addressOf, failedAuthentications(settings.rateLimits, addressOf)));
  app.use(overload.perClient(({ state }) => state.caller.developerId));
  app.use(rateLimits(settings.quotas));
  app.use(run);
  app.on('error', lateErrors(settings.onError));
  return app;
}
