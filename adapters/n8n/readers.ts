import { canReadLibrary, requireCaller, type Caller } from '../../domain/access.js';
import { LIBRARY_SCOPE } from '../../domain/scope.js';
import type { ApiKeyVerifier } from '../../domain/ports.js';
import type { Context, HttpMiddleware, RequestState } from '../edge/context.js';
import { asOwnFailure, bearerOf } from '../edge/middleware/authentication.js';
import type { DeveloperQuotas, RateLimits } from '../edge/middleware/quotas.js';
import { countRequest, failedAuthentications, type Networks } from '../edge/middleware/rate-limits.js';
import { keyInPath } from './path-key.js';
import type { PageQuota } from '../web/page-quota.js';
import type { ExposedKey } from './options.js';

interface Readers {
  readonly verifier: ApiKeyVerifier | undefined;
  readonly networks: Networks;
  readonly limits: RateLimits;
  readonly quotas: DeveloperQuotas;
  readonly pages: PageQuota;
  readonly onExposedKey: (key: ExposedKey) => void;
  /** Refuses a client with too many requests in flight. */
  readonly perClient: HttpMiddleware;
}

/**
 * Finds who reads, by a key or a token that reads, or by a key in the path that allows nothing else, and counts the
 * request: for its developer, else for the network. Any other credential is as none, since the editor acts on a 401;
 * one that is not valid counts as a failed authentication.
 */
export function admitReaders({ verifier, limits, networks, onExposedKey, ...readers }: Readers): HttpMiddleware {
  const { quotas, pages, perClient } = readers;
  const countFailure = failedAuthentications(limits, networks);
  const countRead = countRequest(quotas);
  const countPage = pages.perVisitor(networks);

  const findReader = async (ctx: Context): Promise<Caller | undefined> => {
    const inHeader = bearerOf(ctx);
    const credential = inHeader ?? keyInPath(ctx);
    if (credential === undefined || verifier === undefined) return undefined;
    const caller = await asOwnFailure('the verifier failed', () => verifier.verify(credential));
    if (!caller) {
      await countFailure(ctx);
      return undefined;
    }
    requireCaller(caller);
    if (inHeader !== undefined) return canReadLibrary(caller) ? caller : undefined;
    if (caller.scopes.length === 1 && caller.scopes[0] === LIBRARY_SCOPE) return caller;
    onExposedKey({ credentialId: caller.credentialId, requestId: ctx.state.requestId });
    return undefined;
  };

  return async function admitReader(ctx, next) {
    const reader = await findReader(ctx);
    if (reader !== undefined) ctx.state.caller = reader;
    await perClient(ctx, async () => {
      if (reader !== undefined) await countRead(ctx, 'reads');
      await (reader === undefined ? countPage(ctx, next) : next());
    });
  };
}

/** Returns who reads; undefined for everybody else. */
export function readerOf({ state }: Context): Caller | undefined {
  return (state as Partial<RequestState>).caller;
}
