import { createAuthorizationServer } from '../../adapters/authorization-server/index.js';
import { createCatalogue } from '../../adapters/catalogue/index.js';
import { createHttpApp, dispatcher, type Applications } from '../../adapters/api/index.js';
import { inMemoryStorage } from '../../adapters/in-memory/index.js';
import { createMcpApp } from '../../adapters/mcp/index.js';
import { createPanel } from '../../adapters/panel/index.js';
import { newCore } from '../../application/index.js';
import { createService } from '../../composition/create-service.js';

const storage = inMemoryStorage();
const core = newCore(storage);
const { marketplace, verifier } = core;
const publicUrl = 'http://127.0.0.1';

/** A handler over something that must be closed. */
export interface Closing {
  readonly handle: Applications['api'];
  readonly close: () => Promise<void>;
}

export interface Mounted {
  readonly newHandler: (mountPath: string) => Applications['api'] | Promise<Closing>;
  /** Paths below the mount path, with what a GET of each is answered: a status, or where it leads. */
  readonly answers: Readonly<Record<string, number | string>>;
}

/** Each function that takes a mount path. */
export const FUNCTIONS: Readonly<Record<string, Mounted>> = {
  createHttpApp: {
    newHandler: (mountPath) => createHttpApp(marketplace, { verifier, mountPath }).callback(),
    answers: { '/api/categories': 401, '/v1/automations?page=2': 401, '/problems/not-found': 200, '': 404 },
  },
  createPanel: {
    newHandler: (mountPath) => createPanel(core, { mountPath }).callback(),
    answers: { '/panel/sign-in': 200, '/panel?x=1': '/panel/sign-in?next=%2Fmarket%2Fpanel%3Fx%3D1', '': '/panel' },
  },
  createCatalogue: {
    newHandler: (mountPath) => createCatalogue(core, { mountPath, visibility: 'public' }).callback(),
    answers: { '/catalogue?q=x': 200, '/catalogue/': '/catalogue', '': '/catalogue' },
  },
  createMcpApp: {
    newHandler: (mountPath) => createMcpApp(marketplace, { verifier, mountPath }).callback(),
    answers: { '/mcp': 401, '/mcpx': 404 },
  },
  createAuthorizationServer: {
    newHandler(mountPath) {
      const { apps, connections, profiles } = core;
      const { oauthRecords } = storage;
      if (!apps || !connections || !oauthRecords) throw new Error('the storage has no records');
      const parts = { apps, connections, profiles, oauthRecords };
      return createAuthorizationServer(parts, { mountPath, publicUrl: 'https://market.example' }).app.callback();
    },
    answers: { '/oauth/jwks': 200, '/.well-known/oauth-authorization-server/oauth': 200, '/oauthx': 404 },
  },
  dispatcher: {
    newHandler(mountPath) {
      const options = { mountPath, publicUrl };
      const api = createHttpApp(marketplace, { ...options, verifier }).callback();
      const panel = createPanel(core, { ...options, catalogue: true }).callback();
      const catalogue = createCatalogue(core, { ...options, visibility: 'public', panel: true }).callback();
      return dispatcher({ api, panel, catalogue, mountPath });
    },
    answers: { '/api/categories': 401, '/panel/sign-in': 200, '/catalogue': 200, '': '/catalogue' },
  },
  createService: {
    newHandler: async (mountPath) => {
      const service = await createService({ storage, mountPath, publicUrl, catalogue: 'public' });
      return { handle: service.callback(), close: () => service.close() };
    },
    answers: { '/api/categories': 401, '/panel/sign-in': 200, '/catalogue': 200, '/livez': 200, '': '/catalogue' },
  },
};

/** Returns the status of a GET of each path below the mount path, or where it leads, in a host that mounts it. */
export async function answersIn(
  { newHandler, answers }: Mounted,
  mountPath: string,
  host: (handle: Applications['api']) => Promise<{ readonly url: string; close(): unknown }>,
): Promise<unknown> {
  const made = await newHandler(mountPath);
  const { handle, close } = typeof made === 'function' ? { handle: made, close: undefined } : made;
  const server = await host(handle);
  const found = Object.keys(answers).map(async (path) => {
    const response = await fetch(server.url + mountPath + path, { redirect: 'manual' });
    await response.text();
    const location = response.headers.get('location')?.replace(publicUrl, '').replace(mountPath, '');
    return [path, location ?? response.status];
  });
  const entries = await Promise.all(found);
  await server.close();
  await close?.();
  return Object.fromEntries(entries);
}
