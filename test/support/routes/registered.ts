import type Router from '@koa/router';
import type Koa from 'koa';
import { resourcesOf } from '../../../adapters/http/api/endpoints.js';
import { SLUGS } from '../../../adapters/http/problems/catalogue.js';
import { CATALOGUE_APP, PAGES_APP, PANEL_APP } from '../../../composition/service/tokens.js';
import type { LocalService } from '../service.js';

/** Returns the template of every route that the applications of a service have. */
export function registeredRoutes({ container, marketplace }: LocalService): readonly string[] {
  const api = resourcesOf({ marketplace, publicUrl: '', mountPath: '', search: true }).map(({ route }) => route);
  const apps = [PAGES_APP, PANEL_APP, CATALOGUE_APP].map((token) => container.get<unknown>(token) as Koa);
  return Array.from(new Set([...api, ...apps.flatMap(pathsOf).map(withoutHashes)]));
}

function pathsOf({ middleware }: Koa): readonly string[] {
  const routers = middleware.flatMap((one) => ('router' in one ? [one.router as Router] : []));
  return routers.flatMap(({ stack }) => stack.map(({ path }) => String(path)));
}

/** Returns one template for all problems, and one for all files of pages, whose addresses contain their hashes. */
function withoutHashes(path: string): string {
  const slug = /^\/problems\/(.+)$/.exec(path)?.[1];
  if (SLUGS.some((one) => one === slug)) return '/problems/:slug';
  return path.replace(/\/assets\/[\w-]{16}\/[\w.]+$/, '/assets/:hash/:file');
}
