import Router from '@koa/router';
import type { IncomingMessage } from 'node:http';
import type Provider from 'oidc-provider';
import { OAUTH_METADATA_PATH, OAUTH_METADATA_PATHS, OAUTH_PATH } from '../edge/middleware/base-path.js';
import type { Context, HttpMiddleware, RequestState } from '../edge/context.js';
import { literally } from '../edge/middleware/routing.js';
import type { HostSettings } from '../edge/host-options.js';
import { preferences } from '../edge/middleware/negotiation.js';
import { noSuchPage } from '../web/views/error-page.js';
import type { Outcome } from './outcome.js';
import { noAddress, requireOwnHost } from './own-address.js';
import { rewritten } from './rewritten-requests.js';

/** Where anyone has something stored: a question to a person, the codes of a device, the secret of a form. */
const STORING = ['/auth', '/device/auth', '/device'].map((path) => OAUTH_PATH + path);

interface DelegationParts extends Pick<HostSettings, 'base' | 'publicUrl' | 'onError'> {
  readonly provider: () => Promise<Provider | undefined>;
  /** Returns the address with which all others begin; undefined while it is not known. */
  readonly start: () => string | undefined;
  /** Counts a request that stores something. */
  readonly limitStored: HttpMiddleware;
  readonly outcomeOf: (request: IncomingMessage) => Outcome | undefined;
}

/** Returns the routes that hand requests to oidc-provider. */
export function delegation(parts: DelegationParts): Router<RequestState> {
  const router = new Router<RequestState>({ strict: true, sensitive: true });
  // Clients put the whole path of the issuer behind it. A proxy, or a host, may have removed the base.
  const issuerPaths = new Set([OAUTH_PATH, parts.base + OAUTH_PATH]);
  for (const start of OAUTH_METADATA_PATHS)
    router.all(
      [...issuerPaths].map((path) => literally(start + path)),
      async (ctx) => {
        ctx.state.route = start + OAUTH_PATH;
        await delegate(ctx, OAUTH_METADATA_PATH, parts);
      },
    );
  router.all(STORING, parts.limitStored);
  router.all(`${OAUTH_PATH}/{*rest}`, async (ctx) => {
    ctx.state.route = `${OAUTH_PATH}/*`;
    await delegate(ctx, (ctx.req.url ?? '').slice(OAUTH_PATH.length), parts);
  });
  return router;
}

/** Hands a request over, with the address that people use in place of the one behind proxies. */
async function delegate(ctx: Context, path: string, parts: DelegationParts): Promise<void> {
  const [provider, start] = [(await parts.provider()) ?? noAddress(), parts.start() ?? noAddress()];
  const { req, res } = ctx;
  requireOwnHost(req, start, parts.publicUrl);
  const sent = { method: req.method, url: req.url };
  const { host, protocol } = new URL(start);
  Object.assign(req.headers, {
    accept: preferences(ctx, 'Accept'),
    'x-forwarded-host': host,
    'x-forwarded-proto': protocol.slice(0, -1),
  });
  Object.assign(req, await rewritten(ctx, path, parts.base + OAUTH_PATH));
  ctx.respond = false;
  await provider.callback()(req, res);
  Object.assign(req, sent);
  if (!res.headersSent && ctx.writable) {
    ctx.respond = true;
    noSuchPage();
  }
  const { clientId, reason } = parts.outcomeOf(req) ?? {};
  Object.assign(ctx.state, { clientId, reason });
}
