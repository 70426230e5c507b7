import { requireCaller, type Caller } from '../../domain/access.js';
import type { ApiKeyVerifier } from '../../domain/ports.js';
import type { Context, HttpMiddleware, RequestState } from '../edge/context.js';
import { asOwnFailure, bearerOf } from '../edge/middleware/authentication.js';
import { RATE_LIMITS, type DeveloperQuotas } from '../edge/middleware/quotas.js';
import { countRequest, failedAuthentications, type Networks } from '../edge/middleware/rate-limits.js';
import type { PageQuota } from '../web/page-quota.js';

interface Readers {
  readonly verifier: ApiKeyVerifier | undefined;
  readonly networks: Networks;
  readonly failedAuthentications: number | 'off';
  readonly quotas: DeveloperQuotas;
  readonly pages: PageQuota;
  /** Refuses a client with too many requests in flight. */
  readonly perClient: HttpMiddleware;
}

/**
 * Finds who reads, by a key or a token that reads automations, and counts the request: for its developer, else for the
 * network. Any other credential is as none, since the editor acts on a 401; one that is not valid counts as a failed
 * authentication.
 */
export function admitReaders({ verifier, networks, quotas, pages, perClient, ...limits }: Readers): HttpMiddleware {
  const countFailure = failedAuthentications({ ...RATE_LIMITS, ...limits }, networks);
  const countRead = countRequest(quotas);
  const countPage = pages.perVisitor(networks);
  return async function admitReader(ctx, next) {
    const token = bearerOf(ctx);
    if (token !== undefined && verifier !== undefined) {
      const caller = await asOwnFailure('the verifier failed', () => verifier.verify(token));
      if (!caller) await countFailure(ctx);
      else if (isReader(caller)) ctx.state.caller = caller;
    }
    await perClient(ctx, async () => {
      if (readerOf(ctx) === undefined) return countPage(ctx, next);
      await countRead(ctx, 'reads');
      await next();
    });
  };
}

function isReader(caller: Caller): boolean {
  requireCaller(caller);
  return caller.scopes.includes('automations:read');
}

/** Returns who reads; undefined for everybody else. */
export function readerOf({ state }: Context): Caller | undefined {
  return (state as Partial<RequestState>).caller;
}
