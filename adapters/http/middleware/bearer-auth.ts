import { developerId, SCOPES, type Caller } from '../../../domain/access.js';
import { DomainError } from '../../../domain/errors.js';
import type { ApiKeyVerifier } from '../../../domain/ports.js';
import type { Context, HttpMiddleware } from '../context.js';
import { Problem } from '../problems/problem.js';

const BEARER = /^bearer[ \t]+([^ \t].*)$/i;
const TOKEN_IN_QUERY = /(?:^|&)access_token(?:[=&]|$)/;

type AddressOf = (ctx: Context) => string;
type OnFailure = (ctx: Context) => Promise<void>;

/**
 * Finds the caller by the bearer token in the header Authorization (RFC 6750, section 2.1).
 * @throws Problem for any other request.
 */
export function bearerAuth(verifier: ApiKeyVerifier, addressOf: AddressOf, onFailure: OnFailure): HttpMiddleware {
  return async (ctx, next) => {
    const token = bearerOf(ctx);
    if (token === undefined) throw new Problem('missing-credentials', 'Send the header "Authorization: Bearer <key>".');
    if (ctx.state.query !== '' && TOKEN_IN_QUERY.test(ctx.state.query)) throw keySentTwice();
    const caller = await verify(verifier, token);
    if (!caller) {
      await onFailure(ctx);
      throw new Problem('invalid-token', 'The key is malformed, unknown, expired or revoked.');
    }
    const { developerId, scopes, credentialId } = caller;
    assertCaller(developerId, scopes, credentialId);
    const origin = { address: addressOf(ctx), requestId: ctx.state.requestId };
    ctx.state.caller = { developerId, scopes, credentialId, origin };
    await next();
  };
}

/** Returns the bearer token of the request; undefined when it has none. */
export function bearerOf({ req }: Pick<Context, 'req'>): string | undefined {
  return BEARER.exec(req.headers.authorization ?? '')?.[1];
}

/** A verifier in JavaScript may return anything. A `DomainError` from it is our fault: 500, not 422. */
async function verify(verifier: ApiKeyVerifier, token: string): Promise<Caller | null | undefined> {
  try {
    return await verifier.verify(token);
  } catch (error) {
    if (error instanceof DomainError && error.kind !== 'unavailable')
      throw new Error('the verifier failed', { cause: error });
    throw error;
  }
}

/** @throws TypeError that says what is wrong with the caller that a verifier returned. */
function assertCaller(id: unknown, scopes: unknown, credentialId: unknown): void {
  if (typeof id !== 'string' || developerId(id) === undefined)
    throw new TypeError(
      'the developerId of a verified caller must be one that parseDeveloperId takes, or oauth: and a subject',
    );
  if (!Array.isArray(scopes))
    throw new TypeError(`the scopes of a verified caller must be an array of ${SCOPES.join(', ')}`);
  if (credentialId !== undefined && typeof credentialId !== 'string')
    throw new TypeError('the credentialId of a verified caller must be a string or undefined');
}

function keySentTwice(): Problem {
  const detail = 'must not be sent; send the key only in the header Authorization';
  return new Problem('invalid-query', 'The key must be sent in one way only.', {
    errors: [{ parameter: 'access_token', code: 'unknown-parameter', detail }],
  });
}
