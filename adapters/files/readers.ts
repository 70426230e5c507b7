import { canReadLibrary, requireScope } from '../../domain/access.js';
import type { ApiKeyVerifier } from '../../domain/ports.js';
import type { HttpMiddleware } from '../edge/context.js';
import { authentication, bearerOf } from '../edge/middleware/authentication.js';
import { queryOf } from '../edge/middleware/base-path.js';
import { failedAuthentications, type Networks } from '../edge/middleware/rate-limits.js';
import type { RateLimits } from '../edge/middleware/quotas.js';
import { Problem } from '../edge/problems/problem.js';
import { findSignedIn, type Sessions } from '../web/signed-in.js';

interface Readers extends Omit<Sessions, 'addressOf'> {
  /** Takes keys and tokens; undefined where those who are signed in alone get files. */
  readonly verifier: ApiKeyVerifier | undefined;
  readonly limits: RateLimits;
  readonly networks: Networks;
}

/**
 * Finds who asks for a file: by a key or a token with `automations:read`, else by a session or as the host does.
 * @throws Problem when there is no such reader.
 */
export function findReader({ verifier, limits, networks, ...readers }: Readers): HttpMiddleware {
  const { publicUrl } = readers;
  const { addressOf } = networks;
  const settings = { verifier, authenticate: undefined, issuer: undefined, sessions: undefined, publicUrl };
  const byKey = verifier && authentication(settings, addressOf, failedAuthentications(limits, networks));
  const bySession = findSignedIn({
    ...readers,
    addressOf: (req) => addressOf({ req } as Parameters<typeof addressOf>[0]),
  });
  return async function findFileReader(ctx, next) {
    if (byKey !== undefined && bearerOf(ctx) !== undefined) {
      ctx.state.query = queryOf(ctx.req.url ?? '');
      await byKey(ctx, () => {
        const { caller } = ctx.state;
        if (!canReadLibrary(caller)) requireScope(caller, 'automations:read');
        return next();
      });
      return;
    }
    await bySession(ctx, () => {
      if (ctx.state.signedIn === undefined) throw new Problem('missing-credentials', 'Sign in, or send a key.');
      return next();
    });
  };
}
