import type Router from '@koa/router';
import type { HttpMiddleware, RequestState } from '../context.js';
import { movedTo } from '../send.js';
import type { Routes } from './routing.js';

/**
 * Sends a browser on from the address of a page with a slash at its end, which people type and programs add. `base` is
 * the path with which every address begins.
 */
export function withoutSlash(base: string, isPage: (path: string) => boolean): HttpMiddleware {
  return async function removeSlash(ctx, next) {
    const page = ctx.path.slice(0, -1);
    const isRead = ctx.method === 'GET' || ctx.method === 'HEAD';
    if (isRead && ctx.path.endsWith('/') && isPage(page)) movedTo(ctx, base + page);
    else await next();
  };
}

/** Returns whether a path is that of a page: a file has a point in its name. */
export function isPageOf(routes: Routes): (path: string) => boolean {
  return (path) => Object.hasOwn(routes, path) && !path.includes('.');
}

/** Returns whether a router has something to read at a path. */
export function isReadIn(router: Router<RequestState>): (path: string) => boolean {
  return (path) => router.match(path, 'GET').route;
}
