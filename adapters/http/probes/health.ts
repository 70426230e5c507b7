import { JSON_TYPE, send } from '../send.js';
import { Problem } from '../problems/problem.js';
import type { Routes } from '../middleware/read-only.js';

/** What a service can do: requests, only requests that read, or none, with one word for what is missing. */
export type Readiness = 'ready' | 'read-only' | 'starting' | 'storage' | 'draining';

/** Alive: the process responds. Ready: it can also reach its storage. */
export function healthRoutes(readiness: () => Promise<Readiness>): Routes {
  return {
    '/livez': async (ctx) => send(ctx, JSON_TYPE, '{"status":"alive"}'),
    '/readyz': async (ctx) => {
      const status = await readiness();
      if (status !== 'ready' && status !== 'read-only')
        throw new Problem('unavailable', `The service is not ready: ${status}.`);
      send(ctx, JSON_TYPE, JSON.stringify({ status }));
    },
  };
}
