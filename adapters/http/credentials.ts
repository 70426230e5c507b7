import type { ApiKeyVerifier } from '../../domain/ports.js';
import type { Exchange, Middleware } from './exchange.js';
import { Problem } from './problems.js';

const BEARER = /^bearer[ \t]+(.*)$/i;
const TOKEN_IN_QUERY = /(?:^|&)access_token(?:[=&]|$)/;

/** Lets only those pass who show a credential that the verifier knows (RFC 6750, section 2.1, and nothing else of it). */
export function credentials(verifier: ApiKeyVerifier): Middleware<Exchange> {
  return async (ctx, next) => {
    const token = BEARER.exec(ctx.req.headers.authorization ?? '')?.[1]?.trim();
    if (!token) throw new Problem('missing-credentials', 'Send the header "Authorization: Bearer <key>".');
    if (TOKEN_IN_QUERY.test(ctx.querystring)) throw keySentTwice();
    const caller = await verifier.verify(token);
    if (caller === undefined)
      throw new Problem('invalid-token', 'The key is malformed, unknown, expired or revoked.');
    ctx.state.caller = caller;
    await next();
  };
}

function keySentTwice(): Problem {
  const detail = 'must not be sent; the key belongs into the header Authorization alone';
  return new Problem('invalid-query', 'The key must be sent in one way only.', {
    errors: [{ parameter: 'access_token', code: 'unknown-parameter', detail }],
  });
}
