import type { IncomingMessage } from 'node:http';
import { otherHostIn } from '../edge/middleware/own-host.js';
import { Problem } from '../edge/problems/problem.js';
import { TEXTS } from './texts.js';

/**
 * Refuses a request at another host than that of the server. Without a public URL the server is for this machine:
 * another name is another site, also one that was rebound.
 */
export function requireOwnHost(request: IncomingMessage, start: string, publicUrl: string): void {
  const reason = publicUrl === '' ? otherHostIn(request, start) : undefined;
  if (reason === undefined) return;
  const { title, advice } = TEXTS.otherHost;
  throw new Problem('malformed-request', advice(reason), { reason, page: { title, advice: advice(reason) } });
}

/** @throws Problem where the server cannot work, since its address is not safe for tokens, or not known yet. */
export function noAddress(): never {
  throw new Problem('unavailable', TEXTS.noAddress, { reason: TEXTS.noAddress });
}
