import { timingSafeEqual } from 'node:crypto';
import { isSecure, sessionCookie } from '../http/middleware/signed-in.js';
import type { Context, Panel } from './visit.js';

/** Sets a cookie that scripts cannot read and that forms of other sites do not send. It ends with the browser. */
export function setSession(ctx: Context, panel: Panel, token: string): void {
  setCookie(ctx, panel, token, '');
}

export function clearSession(ctx: Context, panel: Panel): void {
  setCookie(ctx, panel, '', ' Max-Age=0;');
}

function setCookie(ctx: Context, panel: Panel, value: string, lifetime: string): void {
  const { name, path } = sessionCookie(ctx, panel);
  const secure = isSecure(ctx, panel) ? '; Secure' : '';
  ctx.set('Set-Cookie', `${name}=${value};${lifetime} Path=${path}; HttpOnly; SameSite=Lax${secure}`);
}

export function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
