import { createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Account } from '../../application/account.js';
import { callerOf, type Origin, type Person, type UseCases } from '../../application/index.js';
import type { Context, HttpMiddleware, SignedInDeveloper } from '../edge/context.js';
import { seeOther } from '../edge/send.js';
import { leadToHost, type HostSignIn } from './host-sign-in.js';
import { isEncrypted } from '../edge/middleware/security-headers.js';

const NAME = 'panel-session';

/** The parts that find the person who is signed in to panel or catalogue. */
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

/** Finds the developer who is signed in, by a session or by the host, for everything behind it. */
export function findSignedIn(pages: Sessions): HttpMiddleware {
  const { host } = pages;
  return async function findPerson(ctx, next) {
    ctx.state.signedIn = await (host === undefined ? findOfSession(ctx, pages) : findOfHost(ctx, pages, host));
    await next();
  };
}

async function findOfSession(ctx: Context, pages: Sessions): Promise<SignedInDeveloper | undefined> {
  const token = sessionToken(ctx, pages);
  const account = token === undefined ? undefined : await pages.sessions.find(token);
  return account === undefined || token === undefined ? undefined : newSignedIn(ctx, pages, account, token);
}

/**
 * The id makes the token: a form that was opened as another user is shown again. It is no secret. The check of the site
 * alone protects the forms, as there is no session to which a secret could be bound.
 */
async function findOfHost(ctx: Context, pages: Sessions, host: HostSignIn): Promise<SignedInDeveloper | undefined> {
  const user = await host.find(ctx.req);
  const account = user === undefined ? undefined : await pages.sessions.findHostUser(user, host.issuer);
  ctx.state.isSuspended = user !== undefined && account === undefined;
  return account && newSignedIn(ctx, pages, account, account.id);
}

function newSignedIn(ctx: Context, pages: Sessions, account: Account, token: string): SignedInDeveloper {
  const formToken = createHmac('sha256', token).update('form').digest('base64url');
  const { id: developerId, role } = account;
  const person: Person = { isSignedIn: true, developerId, role, origin: originOf(ctx, pages) };
  return { account, person, caller: callerOf(person), formToken, canSignOut: pages.host === undefined };
}

/** Leads a visitor to the sign-in, with the address to come back to. @throws Problem as `leadToHost` */
export function leadToSignIn(ctx: Context, pages: Sessions): void {
  const { base, host } = pages;
  if (host !== undefined) leadToHost(ctx, host, base);
  else {
    const query = new URLSearchParams();
    if (sessionToken(ctx, pages) !== undefined) query.set('notice', 'ended');
    if (ctx.url !== '/panel') query.set('next', `${base}${ctx.url}`);
    seeOther(ctx, `${base}/panel/sign-in${query.size === 0 ? '' : `?${query.toString()}`}`);
  }
}

/** Returns where a request comes from, for the audit and the throttling of sign-ins. */
export function originOf({ req, state }: Context, { addressOf }: Pick<Sessions, 'addressOf'>): Origin {
  return { address: addressOf(req), requestId: state.requestId };
}

/** Returns the token in the browser's cookie, valid or not, or what another cookie has. */
export function sessionToken(ctx: Context, pages: Sessions, cookie = NAME): string | undefined {
  const { name } = sessionCookie(ctx, pages, cookie);
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
export function sessionCookie(
  ctx: Context,
  pages: Sessions,
  cookie = NAME,
): { readonly name: string; readonly path: string } {
  const { base } = pages;
  const path = base === '' || base.includes(';') ? '/' : base;
  const prefix = !isSecure(ctx, pages) ? '' : path === '/' ? '__Host-' : '__Secure-';
  return { name: `${prefix}${cookie}${base.replace(/[^\w-]/g, '.')}`, path };
}

/**
 * Sets a cookie that scripts cannot read and that forms of other sites do not send. Without seconds, it ends with the
 * browser.
 */
export function setCookie(
  ctx: Context,
  pages: Sessions,
  value: string,
  { cookie, seconds }: { readonly cookie?: string | undefined; readonly seconds?: number | undefined } = {},
): void {
  const { name, path } = sessionCookie(ctx, pages, cookie);
  const lifetime = seconds === undefined ? '' : `Max-Age=${seconds}; `;
  const secure = isSecure(ctx, pages) ? '; Secure' : '';
  ctx.append('Set-Cookie', `${name}=${value}; ${lifetime}Path=${path}; HttpOnly; SameSite=Lax${secure}`);
}

export function isSecure(ctx: Context, { publicUrl }: Pick<Sessions, 'publicUrl'>): boolean {
  return publicUrl.startsWith('https:') || isEncrypted(ctx);
}
