import { JSON_TYPE, send } from '../send.js';
import { Problem } from '../problems/problem.js';
import type { Routes } from '../middleware/read-only.js';

/** Alive: the process responds. Ready: it can also reach its storage. */
export function healthRoutes(ready: () => Promise<boolean>): Routes {
  return {
    '/livez': async (ctx) => send(ctx, JSON_TYPE, '{"status":"alive"}'),
    '/readyz': async (ctx) => {
      if (!(await isReady(ready))) throw new Problem('unavailable', 'The service is not ready.');
      send(ctx, JSON_TYPE, '{"status":"ready"}');
    },
  };
}

async function isReady(ready: () => Promise<boolean>): Promise<boolean> {
  try {
    return await ready();
  } catch {
    return false;
  }
}
