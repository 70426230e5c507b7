import Router from '@koa/router';
import { PageError } from './page-error.js';
import type { Context, Handler, Visit } from './visit.js';

/** The handlers of a path, by method. */
export interface Resource {
  readonly GET?: Handler;
  readonly POST?: Handler;
}

/** Returns the router over all paths below `/panel`. */
export function routing(resources: Readonly<Record<string, Resource>>): Router<Visit> {
  const router = new Router<Visit>({ strict: true, sensitive: true });
  for (const [path, resource] of Object.entries(resources))
    router.all(`/panel${path}`, dispatch(`/panel${path}`, resource));
  return router;
}

/** Runs if no route matched. */
export function notFound(): never {
  throw new PageError(404);
}

function dispatch(path: string, resource: Resource): Handler {
  const allow = allowed(resource);
  return async (ctx) => {
    ctx.state.route = path;
    const handler = resource[ctx.method === 'HEAD' ? 'GET' : (ctx.method as keyof Resource)];
    if (handler !== undefined) return handler(ctx);
    if (ctx.method !== 'OPTIONS') throw new PageError(405, { Allow: allow });
    ctx.set('Allow', allow);
    ctx.status = 204;
  };
}

function allowed({ GET, POST }: Resource): string {
  return [...(GET ? ['GET', 'HEAD'] : []), 'OPTIONS', ...(POST ? ['POST'] : [])].join(', ');
}

/** Returns the value of `:id` in the path. */
export function idOf(ctx: Context): string {
  return (ctx as Context & { readonly params: { readonly id?: string } }).params.id ?? '';
}
