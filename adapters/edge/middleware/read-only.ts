import Router from '@koa/router';
import type { Handler, RequestState } from '../context.js';
import { methodNotAllowed } from './methods.js';

/** What can be read, by path. */
export type Routes = Readonly<Record<string, Handler>>;

/** Returns a router of paths that are read only, and exact. */
export function readOnly(routes: Routes): Router<RequestState> {
  const router = new Router<RequestState>({ strict: true, sensitive: true });
  for (const [path, handler] of Object.entries(routes))
    router.all(path, async (ctx) => {
      ctx.state.route = path;
      if (ctx.method === 'GET' || ctx.method === 'HEAD') await handler(ctx);
      else methodNotAllowed(ctx, 'GET, HEAD, OPTIONS');
    });
  return router;
}

/** Returns a path for the router, in which no character has a meaning. */
export function literally(path: string): string {
  return path.replaceAll(/[{}()[\]+?!:*\\]/g, String.raw`\$&`);
}
