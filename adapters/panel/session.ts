import { timingSafeEqual } from 'node:crypto';
import { cookieName, isSecure } from '../http/middleware/signed-in.js';
import type { Context, Panel } from './visit.js';

/** Sets a cookie that scripts cannot read and that forms of other sites do not send. It ends with the browser. */
export function setSession(ctx: Context, panel: Panel, token: string): void {
  ctx.set('Set-Cookie', `${cookieName(ctx, panel)}=${token}; ${attributes(ctx, panel)}`);
}

export function clearSession(ctx: Context, panel: Panel): void {
  ctx.set('Set-Cookie', `${cookieName(ctx, panel)}=; Max-Age=0; ${attributes(ctx, panel)}`);
}

function attributes(ctx: Context, panel: Panel): string {
  return `Path=/; HttpOnly; SameSite=Lax${isSecure(ctx, panel) ? '; Secure' : ''}`;
}

export function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
