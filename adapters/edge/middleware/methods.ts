import type { Context } from '../context.js';
import { Problem } from '../problems/problem.js';

/** Answers OPTIONS with the methods of the path. @throws Problem `method-not-allowed` for any other method. */
export function methodNotAllowed(ctx: Context, allow: string): void {
  if (ctx.method !== 'OPTIONS')
    throw new Problem('method-not-allowed', `This path supports ${allow}.`, { headers: { Allow: allow } });
  ctx.set('Allow', allow);
  ctx.status = 204;
}
