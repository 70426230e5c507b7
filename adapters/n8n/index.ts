/**
 * The market inside of n8n: the library of templates that its editor asks for, at the address in N8N_TEMPLATES_HOST.
 * `createN8nLibrary(core, options).callback()` goes into any server.
 * @module automation-marketplace-n8n
 */
import Koa from 'koa';
import { safeCall } from '../../application/safe-call.js';
import { networkOf } from '../../domain/address.js';
import { requireOptions, requireParts } from '../../domain/options.js';
import type { Context, Handler, RequestState } from '../edge/context.js';
import type { HostOptions, HttpOptions, MountedApp } from '../edge/host.js';
import { assertOption, assertVerifier, checkedHostOptions, HOST_OPTIONS } from '../edge/host-options.js';
import { mountedAt, N8N_PATH } from '../edge/middleware/base-path.js';
import { clientAddress } from '../edge/middleware/client-address.js';
import { mounted } from '../edge/middleware/mounted.js';
import { Overload } from '../edge/middleware/overload.js';
import { lateErrors, notFound, problemDocuments } from '../edge/middleware/problem-documents.js';
import { protocolChecks } from '../edge/middleware/protocol-checks.js';
import { checkedLimits, DeveloperQuotas } from '../edge/middleware/quotas.js';
import { requestLog } from '../edge/middleware/request-log.js';
import { pathParameter, readOnly, type Routes } from '../edge/middleware/routing.js';
import { securityHeaders } from '../edge/middleware/security-headers.js';
import type { Problem } from '../edge/problems/problem.js';
import { JSON_TYPE, send } from '../edge/send.js';
import { PageQuota, type PageQuotaOptions } from '../web/page-quota.js';
import { allowOrigins, originsOf } from './origins.js';
import type { ExposedKey, N8nLibraryCore } from './options.js';
import { takeKeyFromPath } from './path-key.js';
import { admitReaders, readerOf } from './readers.js';
import { searchTemplates } from './search.js';
import { EMPTY, readTemplate, readWorkflow, type Library } from './templates.js';

export type { ExposedKey, N8nLibraryCore } from './options.js';

/** The options of the host. */
export interface N8nLibraryOptions
  extends HostOptions, PageQuotaOptions, Pick<HttpOptions, 'verifier' | 'rateLimits' | 'quotas' | 'search'> {
  /** The base addresses of the n8n installations whose editors may ask, such as `https://n8n.example`. */
  readonly n8nUrls: readonly string[];
  /**
   * Who sees the library: everybody, or members, who send a key or a token that reads in `Authorization`, or a key that
   * only has `library:read` in the path, as `/n8n/<key>`. For others the library of members is empty. Default: members.
   */
  readonly visibility?: 'members' | 'public' | undefined;
  /**
   * Called with each request that has a key with other scopes than `library:read` in its path, which is taken for none.
   * All users of that n8n can see it. Default: ignored.
   */
  readonly onExposedKey?: ((key: ExposedKey) => void) | undefined;
}

const OPTIONS = {
  n8nUrls: true,
  visibility: true,
  onExposedKey: true,
  verifier: true,
  search: true,
  rateLimits: true,
  quotas: true,
  pageRateLimit: true,
  ...HOST_OPTIONS,
} as const;

/**
 * Returns the library of templates for n8n as a Koa application, at `/n8n` under the mount path. It has the automations
 * with a file of n8n. Applications of one process may share the overload protection.
 * @throws TypeError when an option is not as it must be.
 */
export function createN8nLibrary(
  core: N8nLibraryCore,
  options: N8nLibraryOptions,
  overload = new Overload(),
): MountedApp {
  requireOptions('createN8nLibrary', options, OPTIONS);
  requireParts('createN8nLibrary', 'a core', core, ['catalogue', 'profiles']);
  const { visibility = 'members', verifier, search = true, onExposedKey } = options;
  assertOption(['members', 'public'].includes(visibility), 'visibility must be members or public');
  assertOption(typeof search === 'boolean', 'search must be true or false');
  if (verifier !== undefined) assertVerifier(verifier);
  assertOption(onExposedKey === undefined || typeof onExposedKey === 'function', 'onExposedKey must be a function');
  const origins = originsOf(options.n8nUrls);
  const limits = checkedLimits(options.rateLimits);
  const settings = checkedHostOptions(options);
  const { mountPath, publicUrl, base, trustedProxyHops, onError, onRequestCompleted } = settings;
  const addressOf = ({ req }: Pick<Context, 'req'>) => clientAddress(req, trustedProxyHops);
  const clientOf = (ctx: Context) => readerOf(ctx)?.developerId ?? networkOf(addressOf(ctx));
  const admit = admitReaders({
    verifier,
    networks: { ...settings, addressOf },
    limits,
    quotas: options.quotas ?? new DeveloperQuotas(limits),
    pages: PageQuota.of(options),
    onExposedKey: (key) => safeCall(() => onExposedKey?.(key)),
    perClient: overload.perClient(clientOf),
  });
  const answer: Answer = (respond) => async (ctx) => {
    await admit(ctx, async () => {
      const isReader = visibility === 'public' || readerOf(ctx) !== undefined;
      const library = { catalogue: isReader ? core.catalogue : EMPTY, profiles: core.profiles, hasSearch: search };
      sendJson(ctx, await respond(ctx, library));
    });
  };

  const app = new Koa<RequestState>();
  app.use(mountedAt(mountPath));
  app.use(requestLog(onRequestCompleted));
  app.use(securityHeaders(publicUrl, 'Authorization, Origin', { 'Referrer-Policy': 'no-referrer' }));
  app.use(allowOrigins(origins));
  app.use(problemDocuments({ mountPath: base, onError, documentOf: errorOf }));
  app.use(overload.forAll());
  app.use(protocolChecks());
  app.use(takeKeyFromPath);
  app.use(readOnly(routes(answer, clientOf)).routes());
  app.use(admit);
  app.use(notFound);
  app.on('error', lateErrors(onError));
  return mounted(app);
}

type Answer = (respond: (ctx: Context, library: Library) => Promise<object>) => Handler;

/** What the editor asks for. Health and collections come with other requests, cost nothing, and are not counted. */
function routes(answer: Answer, clientOf: (ctx: Context) => string): Routes {
  const idOf = (ctx: Context) => pathParameter(ctx, 'id');
  return {
    [`${N8N_PATH}/health`]: async (ctx) => sendJson(ctx, { status: 'ok' }),
    [`${N8N_PATH}/templates/categories`]: answer(async (_ctx, { catalogue }) => ({
      categories: (await catalogue.categories()).map(({ id, name }) => ({ id, name })),
    })),
    [`${N8N_PATH}/templates/search`]: answer((ctx, library) =>
      searchTemplates(library, new URLSearchParams(ctx.querystring), clientOf(ctx)),
    ),
    [`${N8N_PATH}/templates/collections`]: async (ctx) => sendJson(ctx, { collections: [] }),
    [`${N8N_PATH}/templates/workflows/:id`]: answer((ctx, library) => readTemplate(library, idOf(ctx))),
    [`${N8N_PATH}/workflows/templates/:id`]: answer((ctx, library) => readWorkflow(library, idOf(ctx))),
  };
}

function sendJson(ctx: Context, body: object): void {
  send(ctx, JSON_TYPE, JSON.stringify(body));
}

/** Returns an error as the editor reads it, which shows the message. */
function errorOf({ slug, detail }: Problem): object {
  return { code: slug, message: detail };
}
