import type { EventEmitter } from 'node:events';
import Provider, {
  errors,
  type Client,
  type Configuration,
  type ErrorOut,
  type KoaContextWithOIDC,
} from 'oidc-provider';
import type { UseCases } from '../../application/core.js';
import { MAX_CLIENT_ID_LENGTH } from '../../domain/app.js';
import { CONNECTION_LIFETIME_MS } from '../../domain/connection.js';
import type { OAuthRecords } from '../../domain/ports.js';
import { SCOPES } from '../../domain/scope.js';
import { lateErrors } from '../edge/middleware/problem-documents.js';
import { CLIENT_AUTH_METHODS, nameOf } from './clients.js';
import { Exchanges } from './exchanges.js';
import { ALGORITHM, TOKEN_SECONDS, type KeySet } from './keys.js';
import type { Outcome } from './outcome.js';
import { ServerRecords } from './records.js';
import { requireScope } from './requested-scope.js';
import { limitStored } from './stored-parameters.js';
import { CONNECTION_CLAIM } from './tokens.js';
import { PatchedProvider } from './workarounds.js';

const MINUTE_SECONDS = 60;
const DAY_SECONDS = 24 * 60 * MINUTE_SECONDS;

type PageOf = (ctx: KoaContextWithOIDC, error?: Error) => void;

/** An app as people see it. */
export interface ShownApp {
  readonly name: string;
  /** The public name of the developer who registered it; undefined for an agent. */
  readonly registeredBy: string | undefined;
  /** The host of the document in which an agent describes itself. */
  readonly describedAt: string | undefined;
}

/** The pages that the server shows itself. */
export interface ServerPages {
  /** Asks for the code that a device shows; again after an error. */
  readonly askForCode: PageOf;
  /** Asks whether it is the code that the device shows. */
  readonly confirmCode: (ctx: KoaContextWithOIDC, app: ShownApp, userCode: string) => void;
  readonly deviceConnected: PageOf;
  readonly error: (ctx: KoaContextWithOIDC, out: ErrorOut) => void;
}

/** The parts of a server at one address. */
export interface ProviderParts {
  readonly issuer: string;
  /** The addresses of the API and of the tools for agents: a token is for one of them. */
  readonly resources: { readonly api: string; readonly agents: string };
  /** Where a person is asked; the id of the question follows. */
  readonly consentPath: string;
  /** The path of the cookie of the server's sessions. */
  readonly cookiePath: string;
  readonly keys: KeySet;
  readonly oauthRecords: OAuthRecords;
  readonly apps: Pick<UseCases['apps'] & object, 'findClient'>;
  readonly connections: Pick<UseCases['connections'] & object, 'canActFor'>;
  readonly profiles: Pick<UseCases['profiles'], 'show'>;
  /** Ends a connection because of what a client sent, with the context of the request. May be called again. */
  readonly endConnection: (id: string, ctx: KoaContextWithOIDC | undefined) => Promise<void>;
  readonly pages: ServerPages;
  /** The name of the marketplace. */
  readonly brandName: string;
  /** Is told what came of each request, for the log. */
  readonly onOutcome: (ctx: KoaContextWithOIDC, outcome: Outcome) => void;
  /** Gets what failed inside the server. */
  readonly onError: (error: unknown, ctx: KoaContextWithOIDC) => void;
  /** Fetches metadata documents. */
  readonly fetch: typeof globalThis.fetch;
}

/** Returns the server of oidc-provider for an address and a set of keys. */
export function newProvider(parts: ProviderParts): Provider {
  const exchanges = new Exchanges(parts.oauthRecords);
  const provider = new PatchedProvider(parts.issuer, configurationOf(parts, exchanges), exchanges);
  provider.proxy = true;
  tellOutcomes(provider, parts);
  // What is at no address of the server is left to the pages around it.
  provider.use(async (ctx, next) => {
    await next();
    if (ctx.status === 404 && ctx.body === undefined) ctx.respond = false;
  });
  return provider;
}

/** Tells what came of requests, and what failed, also in our pages, which Koa would write to the console. */
function tellOutcomes(provider: Provider, { onError, onOutcome }: ProviderParts): void {
  const refused = (ctx: KoaContextWithOIDC, error: Error) =>
    onOutcome(ctx, { clientId: ctx.oidc.client?.clientId, reason: reasonOf(error) });
  provider.on('authorization.error', refused);
  provider.on('device_authorization.error', refused);
  provider.on('device_resume.error', refused);
  provider.on('grant.error', refused);
  provider.on('revocation.error', refused);
  provider.on('grant.success', (ctx) => onOutcome(ctx, { clientId: ctx.oidc.client?.clientId }));
  provider.on('server_error', (ctx, error) => onError(error, ctx));
  (provider as EventEmitter).on('error', (error: Partial<errors.OIDCProviderError>, ctx: KoaContextWithOIDC) => {
    if (error.expose !== true) lateErrors(() => onError(error, ctx))(error, ctx);
  });
}

/** Returns why a request was refused. The answer to the client says less. */
function reasonOf(error: Error): string {
  const { message, error_description: description, error_detail: detail } = error as Partial<errors.OIDCProviderError>;
  return [message, description, detail].filter(Boolean).join(': ');
}

function configurationOf(parts: ProviderParts, exchanges: Exchanges): Configuration {
  const { keys, consentPath, cookiePath, connections, fetch } = parts;
  const records = new ServerRecords(parts.oauthRecords, exchanges, parts.apps, (id) =>
    parts.endConnection(id, Provider.ctx),
  );
  return {
    adapter: (model) => records.adapterOf(model),
    jwks: { keys: [...keys.jwks] },
    cookies: {
      keys: [...keys.cookieKeys],
      names: { session: 'oauth-session', interaction: 'oauth-question', resume: 'oauth-resume' },
      long: { path: cookiePath, signed: true },
      short: { signed: true },
    },
    scopes: [...SCOPES, 'offline_access'],
    responseTypes: ['code'],
    clientAuthMethods: [...CLIENT_AUTH_METHODS],
    // A native app may listen at any port of the loopback address (RFC 8252, section 7.3).
    clientDefaults: { application_type: 'native', response_modes: ['query'] },
    // The page of the API, at /docs, is of the same origin.
    clientBasedCORS: (_ctx, origin, client) =>
      origin !== 'null' &&
      [parts.issuer, ...(client.redirectUris ?? [])].some((uri) => URL.canParse(uri) && new URL(uri).origin === origin),
    pkce: { required: () => true },
    findAccount: async (_ctx, sub, token) => {
      if (await connections.canActFor(sub)) return { accountId: sub, claims: () => ({ sub }) };
      // Without a token, the person has just allowed it, and was suspended since then.
      if (token === undefined) throw new errors.AccessDenied();
      return undefined;
    },
    interactions: { url: (_ctx, { uid }) => `${consentPath}/${uid}` },
    rotateRefreshToken: true,
    issueRefreshToken: async (_ctx, client) => client.grantTypeAllowed('refresh_token'),
    expiresWithSession: () => false,
    extraTokenClaims: (_ctx, token) => ('grantId' in token ? { [CONNECTION_CLAIM]: token.grantId } : undefined),
    extraParams: {
      scope: ({ oidc }) => {
        requireScope(oidc);
        limitStored(oidc);
      },
    },
    renderError: (ctx, out) => parts.pages.error(ctx, out),
    ttl: {
      AccessToken: TOKEN_SECONDS,
      ClientCredentials: TOKEN_SECONDS,
      AuthorizationCode: MINUTE_SECONDS,
      IdToken: TOKEN_SECONDS,
      DeviceCode: 10 * MINUTE_SECONDS,
      Interaction: 30 * MINUTE_SECONDS,
      Session: 60 * MINUTE_SECONDS,
      RefreshToken: 30 * DAY_SECONDS,
      Grant: CONNECTION_LIFETIME_MS / 1000,
    },
    features: featuresOf(parts),
    fetch,
  };
}

/** Returns an app with who says that it is so named. */
async function shownApp({ apps, profiles, brandName }: ProviderParts, client: Client): Promise<ShownApp> {
  const app = await apps.findClient(client.clientId);
  return {
    name: nameOf(client, brandName),
    registeredBy: app && (await profiles.show(app.developerId)).name,
    describedAt: app === undefined ? new URL(client.clientId).host : undefined,
  };
}

function featuresOf(parts: ProviderParts): NonNullable<Configuration['features']> {
  const { resources, pages } = parts;
  const known: readonly string[] = Object.values(resources);
  return {
    devInteractions: { enabled: false },
    clientCredentials: { enabled: true },
    revocation: { enabled: true, allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId },
    userinfo: { enabled: false },
    dPoP: { enabled: false },
    pushedAuthorizationRequests: { enabled: false },
    rpInitiatedLogout: { enabled: false },
    deviceFlow: {
      enabled: true,
      deviceInfo: () => ({}),
      userCodeInputSource: (ctx, _form, _out, error) => pages.askForCode(ctx, error),
      userCodeConfirmSource: async (ctx, _form, client, _device, code) =>
        pages.confirmCode(ctx, await shownApp(parts, client), code),
      successSource: (ctx) => pages.deviceConnected(ctx),
    },
    clientIdMetadataDocument: {
      enabled: true,
      ack: 'draft-02',
      allowFetch: (_ctx, address) => address.length <= MAX_CLIENT_ID_LENGTH,
    },
    resourceIndicators: {
      enabled: true,
      defaultResource: (_ctx, _client, oneOf) => oneOf ?? resources.api,
      useGrantedResource: () => true,
      getResourceServerInfo: ({ oidc }, resource, client) => {
        const { resource: asked } = oidc.params ?? {};
        const isOne = !Array.isArray(asked) || asked.length === 1;
        if (!known.includes(resource) || !isOne) throw new errors.InvalidTarget();
        // A machine that names no scope gets all of its own.
        if (client.grantTypeAllowed('client_credentials')) requireScope(oidc, client.scope);
        const audience = resource;
        return { scope: SCOPES.join(' '), audience, accessTokenFormat: 'jwt', jwt: { sign: { alg: ALGORITHM } } };
      },
    },
  };
}
