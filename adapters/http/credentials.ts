import { developerId, SCOPES, type Caller } from '../../domain/access.js';
import { DomainError } from '../../domain/errors.js';
import type { ApiKeyVerifier } from '../../domain/ports.js';
import type { Context, Exchange, Middleware } from './exchange.js';
import { Problem } from './problems.js';
import { remembering } from './remembering.js';

const BEARER = /^bearer[ \t]+([^ \t].*)$/i;
const TOKEN_IN_QUERY = /(?:^|&)access_token(?:[=&]|$)/;

/** Lets only those pass who show a credential that the verifier knows (RFC 6750, section 2.1, and nothing else of it). */
export function credentials(verifier: ApiKeyVerifier, addressOf: (ctx: Context) => string, onFailure: (ctx: Context) => Promise<void>): Middleware<Exchange> {
  return async (ctx, next) => {
    const token = bearerOf(ctx);
    if (token === undefined) throw new Problem('missing-credentials', 'Send the header "Authorization: Bearer <key>".');
    if (ctx.state.query !== '' && TOKEN_IN_QUERY.test(ctx.state.query)) throw keySentTwice();
    let caller: Caller | null | undefined;
    try {
      caller = await verifier.verify(token);
    } catch (error) {
      throw failureOf(error);
    }
    if (!caller) {
      await onFailure(ctx);
      throw new Problem('invalid-token', 'The key is malformed, unknown, expired or revoked.');
    }
    const { developerId, scopes, credentialId } = caller;
    insistOnCaller(developerId, scopes, credentialId);
    ctx.state.caller = { developerId, scopes, credentialId, origin: { address: addressOf(ctx), requestId: ctx.state.requestId } };
    await next();
  };
}

/** Whatever rule a verifier finds broken, it is no mistake of the client's. */
function failureOf(error: unknown): unknown {
  return error instanceof DomainError && error.kind !== 'unavailable' ? new Error('the verifier failed', { cause: error }) : error;
}

const isDeveloper = remembering((id) => developerId(id) !== undefined);

/** A host in JavaScript may answer anything, and a text of scopes would seem to include each part of itself. @throws TypeError that says what the verifier answered wrongly. */
function insistOnCaller(id: unknown, scopes: unknown, credentialId: unknown): void {
  if (typeof id !== 'string' || !isDeveloper(id)) throw new TypeError('the verifier must answer a caller whose developerId is what parseDeveloperId takes, or oauth: and a subject');
  if (!Array.isArray(scopes)) throw new TypeError(`the verifier must answer a caller whose scopes are an array of ${SCOPES.join(', ')}`);
  if (credentialId !== undefined && typeof credentialId !== 'string') throw new TypeError('the verifier must answer a caller whose credentialId is a text, or none');
}

/** What the request shows as a bearer token; undefined when it shows none. */
export function bearerOf({ req }: Pick<Context, 'req'>): string | undefined {
  return BEARER.exec(req.headers.authorization ?? '')?.[1];
}

function keySentTwice(): Problem {
  const detail = 'must not be sent; the key belongs into the header Authorization alone';
  return new Problem('invalid-query', 'The key must be sent in one way only.', {
    errors: [{ parameter: 'access_token', code: 'unknown-parameter', detail }],
  });
}
