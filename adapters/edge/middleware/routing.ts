import Router from '@koa/router';
import type { Context, Handler, RequestState } from '../context.js';
import { methodNotAllowed } from './methods.js';

/** A path with a method, and what responds. */
export interface Route {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly answer: Handler;
}

/** What can be read, by path. */
export type Routes = Readonly<Record<string, Handler>>;

/** Returns a router of exact paths. It answers OPTIONS, and refuses the methods that a path does not have. */
export function routing(routes: readonly Route[]): Router<RequestState> {
  const router = new Router<RequestState>({ strict: true, sensitive: true });
  for (const path of new Set(routes.map((route) => route.path))) {
    const ofPath = routes.filter((route) => route.path === path);
    const answers = new Map(ofPath.map(({ method, answer }) => [method as string, answer]));
    const allow = allowedMethods(answers);
    router.all(path, async (ctx) => {
      ctx.state.route = path;
      const answer = answers.get(ctx.method === 'HEAD' ? 'GET' : ctx.method);
      if (answer === undefined) methodNotAllowed(ctx, allow);
      else await answer(ctx);
    });
  }
  return router;
}

/** Returns a router of paths that are read only. */
export function readOnly(routes: Routes): Router<RequestState> {
  return routing(readsOf(routes));
}

export function readsOf(routes: Routes): readonly Route[] {
  return Object.entries(routes).map(([path, answer]) => ({ method: 'GET', path, answer }));
}

/** Returns a part of the path that the router has named; empty when there is none. */
export function pathParameter(ctx: Context, name: string): string {
  const { params } = ctx as Context & { readonly params: Readonly<Record<string, string | undefined>> };
  return params[name] ?? '';
}

/** Returns a path for the router, in which no character has a meaning. */
export function literally(path: string): string {
  return path.replaceAll(/[{}()[\]+?!:*\\]/g, String.raw`\$&`);
}

function allowedMethods(answers: ReadonlyMap<string, Handler>): string {
  const reads = answers.has('GET') ? ['GET', 'HEAD'] : [];
  return [...reads, 'OPTIONS', ...(answers.has('POST') ? ['POST'] : [])].join(', ');
}
