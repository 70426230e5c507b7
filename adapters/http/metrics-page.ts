import { createHash, timingSafeEqual } from 'node:crypto';
import { answerWith } from './conditional.js';
import { bearerOf } from './credentials.js';
import type { Handler } from './exchange.js';
import { Problem } from './problems.js';

/** What a scraper is given. */
export interface MetricsPage {
  /** What it must show as a bearer token; empty if anybody may ask. */
  readonly token: string;
  readonly text: () => Promise<{ readonly type: string; readonly body: string }>;
}

export function serveMetrics({ token, text }: MetricsPage): Handler {
  return async (ctx) => {
    if (token !== '') checkToken(bearerOf(ctx), token);
    const { type, body } = await text();
    answerWith(ctx, { type, body });
  };
}

function checkToken(shown: string | undefined, token: string): void {
  if (shown === undefined) throw new Problem('missing-credentials', 'Send the header "Authorization: Bearer <token>".');
  if (!timingSafeEqual(digest(shown), digest(token))) throw new Problem('invalid-token', 'This is not the token of the metrics.');
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
