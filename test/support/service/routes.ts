import { endpoints } from '../../../adapters/http/endpoints.js';
import { BASES } from '../../../adapters/http/target.js';
import type { TestService } from '../service.js';

export const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;
export type Method = (typeof METHODS)[number];

/** The paths of the route table below a base, as they are written there. */
export function routePaths({ marketplace }: Pick<TestService, 'marketplace'>): readonly string[] {
  return Object.keys(endpoints({ marketplace, mountPath: '', publicUrl: '' }));
}

/** Every path of the route table under every base, with the id put in. */
export function allPaths(service: TestService, id: string): readonly string[] {
  return BASES.flatMap((base) => routePaths(service).map((path) => base + path.replace(':id', id)));
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
