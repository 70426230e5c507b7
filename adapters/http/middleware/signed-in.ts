import { createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Account } from '../../../application/accounts.js';
import { callerOf, type Caller, type Origin, type Person, type UseCases } from '../../../application/index.js';
import type { Context } from '../context.js';
import type { HostSignIn } from './host-sign-in.js';
import { isEncrypted } from './security-headers.js';

const NAME = 'panel-session';

/** The parts that find the person who is signed in to the panel. */
export interface Sessions {
  readonly sessions: UseCases['sessions'];
  /** The sign-in of a host, in place of sessions; undefined where there is none. */
  readonly host: HostSignIn | undefined;
  readonly publicUrl: string;
  /** The path with which every address of the service begins. */
  readonly base: string;
  /** Returns the IP address of the browser. */
  readonly addressOf: (request: IncomingMessage) => string;
}

/** A developer who is signed in. */
export interface SignedInDeveloper {
  readonly account: Account;
  /** Manages what is their own. */
  readonly person: Person;
  /** The same person, who reads the market and creates. */
  readonly caller: Caller;
  /** The token in every form of this session, or of this user of a host, and of no other. */
  readonly formToken: string;
  /** Whether the session is ours to end. */
  readonly canSignOut: boolean;
}

/** Returns the developer who is signed in, by a session or by the host; may be undefined. */
export async function findSignedIn(ctx: Context, panel: Sessions): Promise<SignedInDeveloper | undefined> {
  if (panel.host !== undefined) return findOfHost(ctx, panel, panel.host);
  const token = sessionToken(ctx, panel);
  const account = token === undefined ? undefined : await panel.sessions.find(token);
  if (account === undefined || token === undefined) return undefined;
  return newSignedIn(ctx, panel, account, token);
}

/**
 * The id makes the token: a form that was opened as another user is shown again. It is no secret. The check of the site
 * alone protects the forms, as there is no session to which a secret could be bound.
 */
async function findOfHost(ctx: Context, panel: Sessions, host: HostSignIn): Promise<SignedInDeveloper | undefined> {
  const user = await host.find(ctx.req);
  const account = user === undefined ? undefined : await panel.sessions.findHostUser(user);
  return account && newSignedIn(ctx, panel, account, account.id);
}

function newSignedIn(ctx: Context, panel: Sessions, account: Account, token: string): SignedInDeveloper {
  const formToken = createHmac('sha256', token).update('form').digest('base64url');
  const { id: developerId, role } = account;
  const person: Person = { isSignedIn: true, developerId, role, origin: originOf(ctx, panel) };
  return { account, person, caller: callerOf(person), formToken, canSignOut: panel.host === undefined };
}

/** Returns where a request comes from, for the audit and the throttling of sign-ins. */
export function originOf({ req, state }: Context, { addressOf }: Pick<Sessions, 'addressOf'>): Origin {
  return { address: addressOf(req), requestId: state.requestId };
}

/** Returns the token in the browser's cookie, valid or not. */
export function sessionToken(ctx: Context, panel: Sessions): string | undefined {
  const { name } = sessionCookie(ctx, panel);
  for (const pair of (ctx.req.headers.cookie ?? '').split(';')) {
    const [key = '', ...value] = pair.split('=');
    if (key.trim() === name) return value.join('=').trim();
  }
  return undefined;
}

/**
 * Returns the name and the path of the cookie. Both depend on the base: two marketplaces on one origin have a cookie
 * each. With a prefix the browser ensures that the cookie came over TLS, and with that of a host, which must have the
 * path of all (RFC 6265bis, section 4.1.3), also that this host has set it.
 */
export function sessionCookie(ctx: Context, panel: Sessions): { readonly name: string; readonly path: string } {
  const { base } = panel;
  const path = base === '' || base.includes(';') ? '/' : base;
  const prefix = !isSecure(ctx, panel) ? '' : path === '/' ? '__Host-' : '__Secure-';
  return { name: `${prefix}${NAME}${base.replace(/[^\w-]/g, '.')}`, path };
}

export function isSecure(ctx: Context, { publicUrl }: Pick<Sessions, 'publicUrl'>): boolean {
  return publicUrl.startsWith('https:') || isEncrypted(ctx);
}
