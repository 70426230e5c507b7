import { createHmac, timingSafeEqual } from 'node:crypto';
import { SCOPES, type Account, type Origin } from '../../application/index.js';
import { isEncrypted, type Context, type Member, type Panel } from './visit.js';

const NAME = 'panel-session';

/** Who is signed in; undefined when nobody is. */
export async function memberOf(ctx: Context, panel: Panel): Promise<Member | undefined> {
  const token = sessionToken(ctx, panel);
  const account = token === undefined ? undefined : await panel.sessions.find(token);
  if (account === undefined || token === undefined) return undefined;
  ctx.state.developerId = account.id;
  return newMember(ctx, panel, account, token);
}

/** The developer's own rights: all that a key can have. */
function newMember(ctx: Context, panel: Panel, account: Account, token: string): Member {
  const formToken = createHmac('sha256', token).update('form').digest('base64url');
  return { account, caller: { developerId: account.id, scopes: SCOPES, origin: originOf(ctx, panel) }, formToken };
}

/** From where a request comes, for the audit and the pace of guessing. */
export function originOf({ req, state }: Context, { addressOf }: Panel): Origin {
  return { address: addressOf(req), requestId: state.requestId };
}

/** The token in the browser's cookie, whatever it is good for. */
export function sessionToken(ctx: Context, panel: Panel): string | undefined {
  const name = nameOf(ctx, panel);
  for (const pair of (ctx.req.headers.cookie ?? '').split(';')) {
    const [key = '', ...value] = pair.split('=');
    if (key.trim() === name) return value.join('=').trim();
  }
  return undefined;
}

/** No script reads it, and no other site's form sends it. It ends with the browser, or when it was not used for 12 hours. */
export function setSession(ctx: Context, panel: Panel, token: string): void {
  ctx.set('Set-Cookie', `${nameOf(ctx, panel)}=${token}; ${attributes(ctx, panel)}`);
}

export function clearSession(ctx: Context, panel: Panel): void {
  ctx.set('Set-Cookie', `${nameOf(ctx, panel)}=; Max-Age=0; ${attributes(ctx, panel)}`);
}

/** The prefix has the browser see to it that nobody else could set it (RFC 6265bis, section 4.1.3.2). */
function nameOf(ctx: Context, panel: Panel): string {
  return isSecure(ctx, panel) ? `__Host-${NAME}` : NAME;
}

function attributes(ctx: Context, panel: Panel): string {
  return `Path=/; HttpOnly; SameSite=Lax${isSecure(ctx, panel) ? '; Secure' : ''}`;
}

function isSecure(ctx: Context, { publicUrl }: Panel): boolean {
  return publicUrl.startsWith('https:') || isEncrypted(ctx);
}

export function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
