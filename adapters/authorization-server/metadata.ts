import type { default as Provider, KoaContextWithOIDC } from 'oidc-provider';

/** How clients authenticate, wherever they do. */
export const CLIENT_AUTH_METHODS = ['client_secret_basic', 'client_secret_post', 'none'] as const;

/** What this configuration of oidc-provider does, where its own metadata say more. */
const METADATA = {
  response_modes_supported: ['query'],
  revocation_endpoint_auth_methods_supported: CLIENT_AUTH_METHODS,
  claims_supported: ['iss', 'sub', 'aud', 'exp', 'iat', 'auth_time'],
};

/** Corrects the metadata that a server says of itself (RFC 8414, section 2). */
export function describeTruly(provider: Provider): void {
  provider.use(async (ctx: KoaContextWithOIDC, next) => {
    await next();
    const { route } = (ctx.oidc as KoaContextWithOIDC['oidc'] | undefined) ?? {};
    const said: unknown = ctx.body;
    if (route === 'discovery' && typeof said === 'object' && said !== null) Object.assign(said, METADATA);
  });
}
