import type { IncomingMessage } from 'node:http';
import { urlOf } from '../../domain/url.js';
import type { Context } from '../edge/context.js';
import type { HostSignInOptions } from '../edge/host.js';
import { assertIssuer, assertOption } from '../edge/host-options.js';
import { Problem } from '../edge/problems/problem.js';
import { seeOther } from '../edge/send.js';
import { asOwnFailure } from '../edge/middleware/authentication.js';

/** A base for paths, which no address that is sent has. */
const NO_HOST = 'http://host.invalid';
/** A path that no browser reads as the address of another host. */
const PATH = /^\/(?![/\\])[\x21-\x7E]*$/;
const CHALLENGE = { 'WWW-Authenticate': 'Cookie realm="automation-marketplace"' };

/** The sign-in of a host. */
export interface HostSignIn {
  /** Returns what the host says of a request, which may be anything; undefined for a visitor. */
  readonly find: (request: IncomingMessage) => Promise<unknown>;
  /** Whose subjects the users have. */
  readonly issuer: string | undefined;
  readonly signInUrl: string | undefined;
}

/**
 * Returns the sign-in of the host; undefined where the marketplace has accounts of its own.
 * @throws TypeError when an option is not as it must be
 */
export function hostSignInOf({ authenticate, issuer, signInUrl }: HostSignInOptions): HostSignIn | undefined {
  const isFunction = authenticate === undefined || typeof authenticate === 'function';
  assertOption(isFunction, 'authenticate must be a function that returns a user, or undefined');
  assertIssuer(issuer, authenticate);
  assertOption(signInUrl === undefined || authenticate !== undefined, 'signInUrl must come with authenticate');
  const isAddress = signInUrl === undefined || isPathOrUrl(signInUrl);
  assertOption(isAddress, 'signInUrl must be a path that begins with one slash, or an http or https URL');
  if (authenticate === undefined) return undefined;
  const find = (request: IncomingMessage) =>
    asOwnFailure('authenticate failed', async () => (await authenticate(request)) ?? undefined);
  return { find, issuer, signInUrl };
}

/**
 * Leads a visitor to the sign-in of the host, with the path of the page to come back to.
 * @throws Problem for a user who is suspended, whom the host would lead back at once, and without `signInUrl`
 */
export function leadToHost(ctx: Context, { signInUrl }: HostSignIn, base: string): void {
  if (ctx.state.isSuspended === true)
    throw new Problem('insufficient-scope', 'This account is suspended. Ask the operator of the marketplace.');
  if (signInUrl === undefined)
    throw new Problem('missing-credentials', 'Sign in first, then open this page again.', { headers: CHALLENGE });
  const url = new URL(signInUrl, NO_HOST);
  url.searchParams.set('next', `${base}${ctx.path}${ctx.method === 'POST' ? '' : ctx.search}`);
  seeOther(ctx, url.origin === NO_HOST ? url.href.slice(NO_HOST.length) : url.href);
}

function isPathOrUrl(address: unknown): boolean {
  if (typeof address !== 'string') return false;
  return PATH.test(address) || (/^https?:\/\//.test(address) && urlOf(address) !== undefined);
}
