import Koa from 'koa';
import type { Context, HttpMiddleware, HttpSettings, RequestState } from '../context.js';
import { authentication } from './authentication.js';
import { mounted } from './mounted.js';
import type { MountedApp } from '../host.js';
import { mountedAt } from './base-path.js';
import type { ChallengeSettings } from './challenge.js';
import { clientAddress } from './client-address.js';
import type { Overload } from './overload.js';
import { lateErrors, problemDocuments } from './problem-documents.js';
import { protocolChecks } from './protocol-checks.js';
import { failedAuthentications } from './rate-limits.js';
import { requestLog } from './request-log.js';
import { securityHeaders } from './security-headers.js';

/** The parts in which applications for programs differ. */
interface ProgramAppParts extends Pick<ChallengeSettings, 'firstScope'> {
  /** The middlewares that find the route of a request. */
  readonly route: readonly HttpMiddleware[];
  /** The middlewares that respond to a known caller. */
  readonly respond: readonly HttpMiddleware[];
}

/**
 * Returns what programs use with a key or a token as a Koa application. The stack is the order in which a request is
 * checked, cheap checks first; a client without a valid key learns nothing of what is behind.
 */
export function newProgramApp(
  settings: HttpSettings,
  { firstScope, route, respond }: ProgramAppParts,
  overload: Overload,
): MountedApp {
  const { onError, onRequestCompleted, publicUrl } = settings;
  const addressOf = ({ req }: Context) => clientAddress(req, settings.trustedProxyHops);
  const app = new Koa<RequestState>();
  app.use(mountedAt(settings.mountPath));
  app.use(requestLog(onRequestCompleted));
  app.use(securityHeaders(publicUrl, 'Authorization'));
  app.use(problemDocuments({ ...settings, firstScope, mountPath: settings.base }));
  app.use(overload.forAll());
  app.use(protocolChecks());
  for (const each of route) app.use(each);
  app.use(authentication(settings, addressOf, failedAuthentications(settings.rateLimits, { ...settings, addressOf })));
  app.use(overload.perClient(({ state }) => state.caller.developerId));
  for (const each of respond) app.use(each);
  app.on('error', lateErrors(onError));
  return mounted(app);
}
