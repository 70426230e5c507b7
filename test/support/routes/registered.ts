import { DeveloperQuotas } from '../../../adapters/edge/middleware/quotas.js';
import type Router from '@koa/router';
import type { MountedApp } from '../../../adapters/api/index.js';
import { createCatalogue } from '../../../adapters/catalogue/index.js';
import { resourcesOf } from '../../../adapters/api/endpoints.js';
import { Overload } from '../../../adapters/api/index.js';
import { MCP_PATH } from '../../../adapters/edge/middleware/base-path.js';
import { createPagesApp } from '../../../adapters/api/documents/site-app.js';
import { SLUGS } from '../../../adapters/edge/problems/table.js';
import { createFilesApp } from '../../../adapters/files/index.js';
import { createN8nLibrary } from '../../../adapters/n8n/index.js';
import { createPanel, type PanelOptions } from '../../../adapters/panel/index.js';
import { CORE } from '../../../composition/tokens.js';
import { USD } from '../../contracts/offers.js';
import { Questions } from '../questions.js';
import type { LocalService } from '../service.js';

const TOKENS = () => ({ ownIssuer: 'https://market.example/oauth', audience: 'https://market.example' });

/** One that nobody goes through. */
const NO_SIGN_IN: NonNullable<PanelOptions['signIn']> = {
  issuer: 'https://login.example',
  name: 'Example',
  givesRoles: true,
  isReachable: () => false,
  start: async () => ({ outcome: 'unreachable', reason: '' }),
  finish: async () => ({ outcome: 'unreachable', reason: '' }),
  endSessionUrl: () => undefined,
};

/** Returns the template of every route that the applications of a service with every feature have. */
export function registeredRoutes({ container, marketplace }: LocalService): readonly string[] {
  const settings = { publicUrl: '', mountPath: '', filesPath: '/files', search: true, quotas: new DeveloperQuotas() };
  const api = resourcesOf({ marketplace, ...settings }).map(({ route }) => route);
  const core = container.get(CORE);
  const apps = [
    documents(),
    createPanel(core, { consents: new Questions(core), signIn: NO_SIGN_IN }),
    createCatalogue(core, { panel: true, visibility: 'public' }),
    createFilesApp(core, { visibility: 'public' }),
    createN8nLibrary(core, { n8nUrls: ['https://n8n.example'] }),
  ];
  return Array.from(new Set([...api, MCP_PATH, ...apps.flatMap(pathsOf).map(withoutHashes)]));
}

function documents(): MountedApp {
  const features = { currency: USD, version: '', panel: true, catalogue: 'public', accessTokens: TOKENS } as const;
  const metrics = { token: '', text: async () => ({ type: '', body: '' }) };
  const hooks = { onError: () => undefined, onRequestCompleted: () => undefined };
  return createPagesApp({ ...features, ...hooks, metrics, readiness: async () => 'ready' }, new Overload());
}

function pathsOf({ middleware }: MountedApp): readonly string[] {
  const routers = middleware.flatMap((one) => ('router' in one ? [one.router as Router] : []));
  return routers.flatMap(({ stack }) => stack.map(({ path }) => String(path)));
}

/**
 * Returns one template for all problems, one for the metadata of all resources, and one for all files of pages, whose
 * addresses contain their hashes.
 */
function withoutHashes(path: string): string {
  const slug = /^\/problems\/(.+)$/.exec(path)?.[1];
  if (SLUGS.some((one) => one === slug)) return '/problems/:slug';
  const metadata = /^\/\.well-known\/oauth-protected-resource(?=\/)/.exec(path)?.[0];
  if (metadata !== undefined) return metadata;
  return path.replace(/\/assets\/[\w-]{16}\/[\w.]+$/, '/assets/:hash/:file');
}
