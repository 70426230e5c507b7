/**
 * Hands out the files of automations: `createFilesApp(core, options).callback()` goes into any server.
 * @module automation-marketplace-pages/files
 */
import Koa from 'koa';
import type { UseCases } from '../../application/core.js';
import { networkOf } from '../../domain/address.js';
import { requireOptions, requireParts } from '../../domain/options.js';
import type { Context, RequestState } from '../edge/context.js';
import type { HostOptions, HostSignInOptions, HttpOptions, MountedApp } from '../edge/host.js';
import { assertOption, assertVerifier, checkedHostOptions, HOST_OPTIONS } from '../edge/host-options.js';
import { FILES_PATH, mountedAt } from '../edge/middleware/base-path.js';
import { clientAddress } from '../edge/middleware/client-address.js';
import { mounted } from '../edge/middleware/mounted.js';
import { Overload } from '../edge/middleware/overload.js';
import { lateErrors, notFound, problemDocuments } from '../edge/middleware/problem-documents.js';
import { protocolChecks } from '../edge/middleware/protocol-checks.js';
import { checkedLimits } from '../edge/middleware/quotas.js';
import { requestLog } from '../edge/middleware/request-log.js';
import { pathParameter, readOnly } from '../edge/middleware/routing.js';
import { securityHeaders } from '../edge/middleware/security-headers.js';
import { hostSignInOf } from '../web/host-sign-in.js';
import { PageQuota, type PageQuotaOptions } from '../web/page-quota.js';
import { findReader } from './readers.js';
import { sendFile } from './send-file.js';

/** The use cases that find files and those who may have them; `newCore` makes them. */
export type FilesCore = Pick<UseCases, 'catalogue' | 'sessions'>;

/** The options of the host. */
export interface FilesOptions
  extends HostOptions, Omit<HostSignInOptions, 'signInUrl'>, PageQuotaOptions, Pick<HttpOptions, 'verifier'> {
  /** Who gets files: everybody, or members, who are signed in or send a key or a token. Default: members. */
  readonly visibility?: 'members' | 'public' | undefined;
  /** Requests with a key or a token that is not valid, a minute and address. Default: 30. */
  readonly rateLimits?: Pick<NonNullable<HttpOptions['rateLimits']>, 'failedAuthentications'> | undefined;
}

const FILES_OPTIONS = {
  authenticate: true,
  issuer: true,
  pageRateLimit: true,
  verifier: true,
  visibility: true,
  rateLimits: true,
  ...HOST_OPTIONS,
} as const;

/** A browser saves a file and never shows it, since others wrote it. Other sites do not include it. */
const HEADERS = {
  'Content-Security-Policy': "sandbox; default-src 'none'",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'same-origin',
};

/**
 * Returns the files of automations as a Koa application, at `/files` under the mount path. Applications of one process
 * may share the overload protection.
 * @throws TypeError when an option is not as it must be.
 */
export function createFilesApp(core: FilesCore, options: FilesOptions = {}, overload = new Overload()): MountedApp {
  requireOptions('createFilesApp', options, FILES_OPTIONS);
  requireParts('createFilesApp', 'a core', core, ['catalogue', 'sessions']);
  const { visibility = 'members', verifier } = options;
  assertOption(['members', 'public'].includes(visibility), 'visibility must be members or public');
  if (verifier !== undefined) assertVerifier(verifier);
  const settings = checkedHostOptions(options);
  const { mountPath, publicUrl, base, trustedProxyHops, onError, onRequestCompleted } = settings;
  const addressOf = ({ req }: Pick<Context, 'req'>) => clientAddress(req, trustedProxyHops);
  const networks = { ...settings, addressOf };
  const caching = visibility === 'public' ? 'public, no-cache' : 'private, no-cache';

  const app = new Koa<RequestState>();
  app.use(mountedAt(mountPath));
  app.use(requestLog(onRequestCompleted));
  app.use(securityHeaders(publicUrl, 'Authorization, Cookie', HEADERS));
  app.use(problemDocuments({ mountPath: base, onError, firstScope: 'automations:read' }));
  app.use(overload.forAll());
  app.use(protocolChecks());
  app.use(overload.perClient((ctx) => networkOf(addressOf(ctx))));
  if (visibility === 'members') {
    const limits = checkedLimits(options.rateLimits);
    const ofSessions = { sessions: core.sessions, host: hostSignInOf(options), publicUrl, base };
    app.use(findReader({ ...ofSessions, verifier, limits, networks }));
  }
  app.use(PageQuota.of(options).perVisitor(networks));
  app.use(
    readOnly({
      [`${FILES_PATH}/:id`]: (ctx) => sendFile(ctx, core.catalogue, { id: pathParameter(ctx, 'id'), caching }),
    }).routes(),
  );
  app.use(notFound);
  app.on('error', lateErrors(onError));
  return mounted(app);
}
