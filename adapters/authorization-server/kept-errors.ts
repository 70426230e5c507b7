import type { default as Provider, ErrorOut, KoaContextWithOIDC } from 'oidc-provider';
import { agentAddress } from '../../domain/app.js';

/**
 * Keeps the browser here when a request of an agent fails before a person has consented. Everyone can describe an agent
 * that leads to any address, so the server would lead there in their name (RFC 9700, section 4.11.2).
 */
export function keepErrorsOfAgents(provider: Provider): void {
  provider.on('authorization.error', (ctx, error) => {
    if (agentOf(ctx) === undefined || ctx.oidc.result?.consent !== undefined) return;
    error.allow_redirect = false;
    // The status of the redirect was set before.
    if (ctx.status === 303) ctx.status = 400;
  });
}

/** Returns the address of the agent that asks; undefined when it is none. */
export function agentOf({ oidc, query }: KoaContextWithOIDC): string | undefined {
  const { client_id: id = query['client_id'] } = oidc.params ?? {};
  return typeof id === 'string' ? agentAddress(id) : undefined;
}

/** Returns where the agent waits for a refusal, which a person may follow; undefined for every other error. */
export function wayBack({ oidc }: KoaContextWithOIDC, out: ErrorOut): string | undefined {
  const address = oidc.params?.['redirect_uri'];
  if (oidc.route !== 'resume' || out.error !== 'access_denied' || typeof address !== 'string') return undefined;
  const url = new URL(address);
  for (const [name, value] of Object.entries({ ...out })) if (value !== undefined) url.searchParams.set(name, value);
  return url.href;
}
