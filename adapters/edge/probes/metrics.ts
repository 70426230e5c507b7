import { createHash, timingSafeEqual } from 'node:crypto';
import { send } from '../send.js';
import { bearerOf } from '../middleware/authentication.js';
import { Problem } from '../problems/problem.js';
import type { Routes } from '../middleware/routing.js';
import { inTime } from './health.js';

/** The metrics of the process, and who may read them. */
export interface MetricsOptions {
  /** The bearer token that a scraper must send; empty if everybody may read. */
  readonly token: string;
  readonly text: () => Promise<{ readonly type: string; readonly body: string }>;
}

export function metricsRoutes({ token, text }: MetricsOptions): Routes {
  return {
    '/metrics': async (ctx) => {
      if (token !== '') checkToken(bearerOf(ctx), token);
      const { type, body } = await inTime(text);
      send(ctx, type, body);
    },
  };
}

function checkToken(sent: string | undefined, token: string): void {
  if (sent === undefined) throw new Problem('missing-credentials', 'Send the header "Authorization: Bearer <token>".');
  if (!timingSafeEqual(digest(sent), digest(token)))
    throw new Problem('invalid-token', 'This is not the token of the metrics.');
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
