import { parseHostCaller } from '../../../application/host-user.js';
import { requireCaller, type Caller } from '../../../domain/access.js';
import { DomainError } from '../../../domain/errors.js';
import type { ApiKeyVerifier } from '../../../domain/ports.js';
import type { Context, HttpMiddleware, HttpSettings } from '../context.js';
import { isSameOrigin } from './same-origin.js';
import { Problem } from '../problems/problem.js';

const BEARER = /^bearer[ \t]+([^ \t].*)$/i;
const TOKEN_IN_QUERY = /(?:^|&)access_token(?:[=&]|$)/;

const NO_KEY = new Problem('missing-credentials', 'Send the header "Authorization: Bearer <key>".');
const NO_CREDENTIALS = new Problem('missing-credentials', 'The request has no credentials.');

type AddressOf = (ctx: Context) => string;
type OnFailure = (ctx: Context) => Promise<void>;

/** A verifier or a host in JavaScript may return anything. */
type Find = (ctx: Context) => Promise<Caller | null | undefined>;

/** Finds the caller by a key or token; without a valid one, as the host does. @throws Problem when there is none. */
export function authentication(
  settings: Pick<HttpSettings, 'verifier' | 'authenticate' | 'issuer' | 'sessions' | 'publicUrl'>,
  addressOf: AddressOf,
  onFailure: OnFailure,
): HttpMiddleware {
  const { verifier, authenticate } = settings;
  const byKey = verifier && byBearer(verifier);
  const asHost = authenticate && byHost(authenticate, settings);
  const hasCredentials = asHost ? sendsAny : (ctx: Context) => bearerOf(ctx) !== undefined;
  return async function findCaller(ctx, next) {
    const caller = (await byKey?.(ctx)) || (await asHost?.(ctx));
    if (!caller) {
      if (!hasCredentials(ctx)) throw asHost ? NO_CREDENTIALS : NO_KEY;
      await onFailure(ctx);
      throw new Problem('invalid-token', 'The key is malformed, unknown, expired or revoked.');
    }
    requireCaller(caller);
    const { developerId, scopes, role, credentialId } = caller;
    if (credentialId !== undefined && typeof credentialId !== 'string')
      throw new TypeError('the credentialId of a caller must be a string or undefined');
    const origin = { address: addressOf(ctx), requestId: ctx.state.requestId };
    const actor = caller.actor && { ...caller.actor, origin };
    ctx.state.caller = { developerId, scopes, role, actor, credentialId, origin };
    await next();
  };
}

/** Finds the caller by the bearer token in the header Authorization (RFC 6750, section 2.1). */
function byBearer(verifier: ApiKeyVerifier): Find {
  return async (ctx) => {
    const token = bearerOf(ctx);
    if (token === undefined) return undefined;
    if (ctx.state.query !== '' && TOKEN_IN_QUERY.test(ctx.state.query)) throw keySentTwice();
    return asOwnFailure('the verifier failed', () => verifier.verify(token));
  };
}

/** Finds the caller as the host does, for example by a cookie. One who is suspended here counts as unknown. */
function byHost(
  authenticate: NonNullable<HttpSettings['authenticate']>,
  { issuer, sessions, publicUrl }: Pick<HttpSettings, 'issuer' | 'sessions' | 'publicUrl'>,
): Find {
  return async (ctx) => {
    refuseCrossSite(ctx, publicUrl);
    const found = await asOwnFailure('authenticate failed', () => authenticate(ctx.req));
    if (!found) return undefined;
    return sessions ? sessions.findHostCaller(found, issuer) : parseHostCaller(found);
  };
}

function sendsAny({ req: { headers } }: Context): boolean {
  return (headers.authorization ?? headers.cookie) !== undefined;
}

/**
 * Refuses a POST that a browser sends with the cookies of the user from a page of another site. A program with a cookie
 * has no origin.
 */
function refuseCrossSite(ctx: Context, publicUrl: string): void {
  const { cookie, origin, 'sec-fetch-site': site = 'none' } = ctx.req.headers;
  const isProgram = origin === undefined && site === 'none';
  if (ctx.req.method !== 'POST' || cookie === undefined || isProgram || isSameOrigin(ctx, publicUrl)) return;
  throw new Problem('cross-site-request', 'The request was sent from another site.');
}

/** Returns the bearer token of the request; undefined when it has none. */
export function bearerOf({ req }: Pick<Context, 'req'>): string | undefined {
  return BEARER.exec(req.headers.authorization ?? '')?.[1];
}

/** Makes a failure of the host an internal error: a `DomainError` would be explained as one of the client. */
export async function asOwnFailure<Value>(what: string, work: () => Value | Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof DomainError && error.kind !== 'unavailable') throw new Error(what, { cause: error });
    throw error;
  }
}

function keySentTwice(): Problem {
  const detail = 'must not be sent; send the key only in the header Authorization';
  return new Problem('invalid-query', 'The key must be sent in one way only.', {
    errors: [{ parameter: 'access_token', code: 'unknown-parameter', detail }],
  });
}
