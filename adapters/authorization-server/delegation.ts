import Router from '@koa/router';
import type { IncomingMessage } from 'node:http';
import type Provider from 'oidc-provider';
import { OAUTH_METADATA_PATH, OAUTH_METADATA_PATHS, OAUTH_PATH } from '../http/middleware/base-path.js';
import type { Context, RequestState } from '../http/context.js';
import { literally } from '../http/middleware/read-only.js';
import type { HostSettings } from '../http/host-options.js';
import { preferences } from '../http/middleware/negotiation.js';
import { Problem } from '../http/problems/problem.js';
import { noSuchPage } from '../http/views/error-page.js';
import type { Outcome } from './outcome.js';

interface DelegationParts extends Pick<HostSettings, 'base' | 'publicUrl' | 'onError'> {
  readonly provider: () => Promise<Provider | undefined>;
  /** Returns the address with which all others begin; undefined while it is not known. */
  readonly start: () => string | undefined;
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
  router.all(`${OAUTH_PATH}/{*rest}`, async (ctx) => {
    ctx.state.route = `${OAUTH_PATH}/*`;
    await delegate(ctx, (ctx.req.url ?? '').slice(OAUTH_PATH.length), parts);
  });
  return router;
}

/** Hands a request over, with the address that people use in place of the one behind proxies. */
async function delegate(ctx: Context, path: string, parts: DelegationParts): Promise<void> {
  const [provider, start] = [await parts.provider(), parts.start()];
  if (provider === undefined || start === undefined)
    throw new Problem(
      'unavailable',
      'This server works over https, or on this machine alone; its address is not known.',
    );
  const { host, protocol } = new URL(start);
  const { req, res } = ctx;
  // Without a public URL the service is for this machine: another name is another site, also one that was rebound.
  if (parts.publicUrl === '' && req.headers.host !== host)
    throw new Problem('malformed-request', `Use ${start}${OAUTH_PATH}: this server has one address.`);
  Object.assign(req.headers, {
    accept: preferences(ctx, 'Accept'),
    'x-forwarded-host': host,
    'x-forwarded-proto': protocol.slice(0, -1),
  });
  Object.assign(req, { url: withoutCode(path), originalUrl: parts.base + OAUTH_PATH + path });
  ctx.respond = false;
  await provider.callback()(req, res);
  if (!res.headersSent && ctx.writable) {
    ctx.respond = true;
    noSuchPage();
  }
  const { clientId, reason } = parts.outcomeOf(req) ?? {};
  Object.assign(ctx.state, { clientId, reason });
}

/**
 * Leaves out the code of a device, which our page puts into its form. In place of that page, oidc-provider would show
 * one that only a script can send on, which our policy forbids.
 */
function withoutCode(path: string): string {
  return path.startsWith('/device?') ? '/device' : path;
}
