import { BASES } from '../../../adapters/edge/middleware/base-path.js';
import { openApiDocument } from '../../../adapters/api/openapi/document.js';
import { parseCurrency } from '../../../domain/currency.js';

export const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;
export type Method = (typeof METHODS)[number];

/** Returns the paths of the API below a base, as the routes are written. */
export function routePaths(): readonly string[] {
  const { paths } = openApiDocument({ currency: parseCurrency('USD'), version: '0.0.0' });
  return Object.keys(paths).map((path) => path.replace('{id}', ':id'));
}

/** Returns every path of the API under every base, with the id put in. */
export function allPaths(id: string): readonly string[] {
  return BASES.flatMap((base) => routePaths().map((path) => base + path.replace(':id', id)));
}

/** Paths under the bases at which there is nothing. */
export const UNKNOWN_PATHS = [
  '/api',
  '/api/',
  '/v1',
  '/v1/api',
  '/api/automation',
  '/api/automations/',
  '/api/Automations',
  '/api//automations',
  '/api/./automations',
  '/api/automations/a/b',
  '/api/%61utomations',
  '/api/categories/',
  '/api/categories/communication',
  '/api/keys',
  '/api/admin',
  '/api/livez',
  '/v1/metrics',
  '/v1/openapi.json',
  '/api/v1/docs',
  '/api/v1/panel',
  '/v1/api/.env',
  '/api/v2/automations',
];
