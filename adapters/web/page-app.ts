import type Router from '@koa/router';
import Koa from 'koa';
import type { IncomingMessage } from 'node:http';
import { networkOf } from '../../domain/address.js';
import type { Context, HttpMiddleware, RequestState } from '../edge/context.js';
import type { HostSettings } from '../edge/host-options.js';
import { seeOther } from '../edge/send.js';
import { mounted } from '../edge/middleware/mounted.js';
import type { MountedApp } from '../edge/host.js';
import { mountedAt } from '../edge/middleware/base-path.js';
import { OwnTurns } from '../edge/middleware/event-loop.js';
import type { Overload } from '../edge/middleware/overload.js';
import { pagePolicy } from './page-policy.js';
import type { PageQuota } from './page-quota.js';
import { lateErrors, problemDocuments, type ProblemSettings } from '../edge/middleware/problem-documents.js';
import { protocolChecks } from '../edge/middleware/protocol-checks.js';
import { requestLog } from '../edge/middleware/request-log.js';
import { securityHeaders } from '../edge/middleware/security-headers.js';
import { isReadIn, withoutSlash } from '../edge/middleware/trailing-slash.js';

/** The parts in which groups of pages differ. */
interface PageAppOptions extends Pick<
  HostSettings,
  'base' | 'mountPath' | 'publicUrl' | 'isSharedNetwork' | 'onError' | 'onRequestCompleted'
> {
  readonly addressOf: (request: IncomingMessage) => string;
  /** Finds the developer who is signed in. Undefined where no visitor can be. */
  readonly signIn?: HttpMiddleware | undefined;
  /** Returns the page of a problem. */
  readonly pageFor: NonNullable<ProblemSettings['pageFor']>;
  readonly quota: PageQuota;
  /** What every page loads, which is not counted. */
  readonly files: Router<RequestState>;
  readonly pages: Router<RequestState>;
  /** The page to which the mount path itself leads. Undefined where there is none. */
  readonly front?: string | undefined;
  /** Reports that no page has the address. */
  readonly notFound: () => never;
}

/**
 * No other site opens or includes a page. The referrer stays within the host, because some addresses contain tokens;
 * `no-referrer` would make browsers send `Origin: null` with our own forms (Fetch standard).
 */
const HEADERS = {
  'Content-Security-Policy': pagePolicy(),
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'same-origin',
};

/** Returns pages for people as a Koa application. The stack is the order in which a request is checked. */
export function newPageApp(options: PageAppOptions, overload: Overload): MountedApp {
  const { base, mountPath, publicUrl, onError, onRequestCompleted, pageFor, signIn, front } = options;
  const addressOf = ({ req }: Context) => options.addressOf(req);
  const app = new Koa<RequestState>();
  app.use(mountedAt(mountPath));
  app.use(requestLog(onRequestCompleted));
  app.use(securityHeaders(publicUrl, 'Cookie', HEADERS));
  app.use(problemDocuments({ mountPath: base, onError, pageFor }));
  app.use(overload.forAll());
  app.use(protocolChecks());
  app.use(overload.perClient((ctx) => networkOf(addressOf(ctx))));
  app.use(options.files.routes());
  if (signIn !== undefined) app.use(signIn);
  app.use(options.quota.perVisitor({ ...options, addressOf }));
  app.use(oneByOne());
  if (front !== undefined) app.use(leadsToFront(front));
  app.use(options.pages.routes());
  app.use(withoutSlash(base, isReadIn(options.pages)));
  app.use(options.notFound);
  app.on('error', lateErrors(onError));
  return mounted(app);
}

function leadsToFront(front: string): HttpMiddleware {
  return async function leadToFront(ctx, next) {
    if (ctx.path === '/' && (ctx.method === 'GET' || ctx.method === 'HEAD')) {
      ctx.state.route = '/';
      seeOther(ctx, front);
    } else await next();
  };
}

/**
 * Has each page begin in a turn of the event loop of its own: next to 285 pages that are asked for together, other
 * requests have a p99 of 0.3 s, in place of 2.9 s. A form takes one more when it has come: next to 16 forms at a time,
 * others have a p50 of 18 ms, in place of 171 ms (bench/refusals.ts).
 */
function oneByOne(): HttpMiddleware {
  const turns = new OwnTurns();
  return async function takeTurn(ctx, next) {
    ctx.state.ownTurn = () => turns.next();
    await ctx.state.ownTurn();
    await next();
  };
}
