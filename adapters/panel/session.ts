import { createHmac, timingSafeEqual } from 'node:crypto';
import { scopesOfRole, type Account, type Origin } from '../../application/index.js';
import { isEncrypted } from '../http/middleware/security-headers.js';
import type { Context, Panel, SignedInDeveloper } from './visit.js';

const NAME = 'panel-session';

/** What finds a signed-in developer. */
export type Sessions = Pick<Panel, 'sessions' | 'publicUrl' | 'addressOf'>;

/** Returns the developer who is signed in; may be undefined. */
export async function findSignedIn(ctx: Context, panel: Sessions): Promise<SignedInDeveloper | undefined> {
  const token = sessionToken(ctx, panel);
  const account = token === undefined ? undefined : await panel.sessions.find(token);
  if (account === undefined || token === undefined) return undefined;
  return newSignedIn(ctx, panel, account, token);
}

/** Gives a developer every scope that their role allows. */
function newSignedIn(ctx: Context, panel: Sessions, account: Account, token: string): SignedInDeveloper {
  const formToken = createHmac('sha256', token).update('form').digest('base64url');
  const caller = { developerId: account.id, scopes: scopesOfRole(account.role), origin: originOf(ctx, panel) };
  return { account, caller, formToken };
}

/** Returns where a request comes from, for the audit and the throttling of sign-ins. */
export function originOf({ req, state }: Context, { addressOf }: Sessions): Origin {
  return { address: addressOf(req), requestId: state.requestId };
}

/** Returns the token in the browser's cookie, valid or not. */
export function sessionToken(ctx: Context, panel: Sessions): string | undefined {
  const name = cookieName(ctx, panel);
  for (const pair of (ctx.req.headers.cookie ?? '').split(';')) {
    const [key = '', ...value] = pair.split('=');
    if (key.trim() === name) return value.join('=').trim();
  }
  return undefined;
}

/** Sets a cookie that scripts cannot read and that forms of other sites do not send. It ends with the browser. */
export function setSession(ctx: Context, panel: Panel, token: string): void {
  ctx.set('Set-Cookie', `${cookieName(ctx, panel)}=${token}; ${attributes(ctx, panel)}`);
}

export function clearSession(ctx: Context, panel: Panel): void {
  ctx.set('Set-Cookie', `${cookieName(ctx, panel)}=; Max-Age=0; ${attributes(ctx, panel)}`);
}

/** With the prefix, the browser ensures that only this host can set the cookie (RFC 6265bis, section 4.1.3.2). */
function cookieName(ctx: Context, panel: Sessions): string {
  return isSecure(ctx, panel) ? `__Host-${NAME}` : NAME;
}

function attributes(ctx: Context, panel: Panel): string {
  return `Path=/; HttpOnly; SameSite=Lax${isSecure(ctx, panel) ? '; Secure' : ''}`;
}

function isSecure(ctx: Context, { publicUrl }: Sessions): boolean {
  return publicUrl.startsWith('https:') || isEncrypted(ctx);
}

export function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
