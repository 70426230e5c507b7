import Router from '@koa/router';
import { methodNotAllowed } from '../http/middleware/methods.js';
import { Problem } from '../http/problems/problem.js';
import type { Context, Handler, Visit } from './visit.js';

/** The handlers of a path, by method. */
export interface Resource {
  readonly GET?: Handler;
  readonly POST?: Handler;
}

/** Runs the handler of the path and the method. */
export function routing(resources: Readonly<Record<string, Resource>>): Router<Visit> {
  const router = new Router<Visit>({ strict: true, sensitive: true });
  for (const [path, resource] of Object.entries(resources))
    router.all(`/panel${path}`, dispatch(`/panel${path}`, resource));
  return router;
}

/** @throws Problem where no route leads. */
export function notFound(): never {
  throw new Problem('not-found', 'The address may be wrong, or the page was removed.');
}

function dispatch(path: string, resource: Resource): Handler {
  const allow = allowedMethods(resource);
  return async (ctx) => {
    ctx.state.route = path;
    const handler = resource[ctx.method === 'HEAD' ? 'GET' : (ctx.method as keyof Resource)];
    if (handler === undefined) methodNotAllowed(ctx, allow);
    else await handler(ctx);
  };
}

function allowedMethods({ GET, POST }: Resource): string {
  return [...(GET ? ['GET', 'HEAD'] : []), 'OPTIONS', ...(POST ? ['POST'] : [])].join(', ');
}

/** Returns what the path has where its template has `:id`, or another name. */
export function idOf(ctx: Context, name = 'id'): string {
  return (ctx as Context & { readonly params: Readonly<Record<string, string | undefined>> }).params[name] ?? '';
}
