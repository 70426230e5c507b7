import { DomainError } from '../../../domain/errors.js';
import { JSON_TYPE, send } from '../send.js';
import { Problem } from '../problems/problem.js';
import type { Routes } from '../middleware/routing.js';

/** What a service can do: requests, only requests that read, or none, with one word for what is missing. */
export type Readiness = 'ready' | 'read-only' | 'starting' | 'storage' | 'draining';

/** Longer than any of our storages waits for an answer. */
const MAX_WAIT_MS = 5_000;

/** Alive: the process responds. Ready: it can also reach its storage. */
export function healthRoutes(readiness: () => Promise<Readiness>): Routes {
  return {
    '/livez': async (ctx) => send(ctx, JSON_TYPE, '{"status":"alive"}'),
    '/readyz': async (ctx) => {
      const status = await inTime(readiness);
      if (status !== 'ready' && status !== 'read-only')
        throw new Problem('unavailable', `The service is not ready: ${status}.`);
      send(ctx, JSON_TYPE, JSON.stringify({ status }));
    },
  };
}

/**
 * Returns the answer of a part of the service or of its host.
 * @throws DomainError `unavailable` with the cause when it fails, or takes longer than any storage should
 */
export async function inTime<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${MAX_WAIT_MS} ms`)), MAX_WAIT_MS);
  });
  try {
    return await Promise.race([ask(), late]);
  } catch (cause) {
    throw new DomainError('unavailable', 'store-unavailable', 'the state of the service is unknown', [], { cause });
  } finally {
    clearTimeout(timer);
  }
}
