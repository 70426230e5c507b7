import type { Context } from './exchange.js';
import { Problem } from './problems.js';

/** Answers OPTIONS with what the path takes; any other method that comes here is refused. */
export function answerOtherMethod(ctx: Context, allow: string): void {
  if (ctx.method !== 'OPTIONS')
    throw new Problem('method-not-allowed', `This path takes ${allow}.`, { headers: { Allow: allow } });
  ctx.state.reply.headers['Allow'] = allow;
  ctx.state.reply.status = 204;
}
