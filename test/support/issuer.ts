import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type CryptoKey, type JWK } from 'jose';
import Provider from 'oidc-provider';

export const AUDIENCE = 'https://market.example';
export const CLIENT = { client_id: 'robot', client_secret: 'a secret of the robot' };
const REDIRECT = 'https://app.example/callback';
/** A client with a person before it; it has no secret. */
export const APP = { client_id: 'app', redirect_uri: REDIRECT };

/** A private key, by the id under which its public half is published. */
export interface SigningKey {
  readonly alg: string;
  readonly kid: string;
  readonly privateKey: CryptoKey;
  readonly publicKey: CryptoKey;
  readonly jwk: JWK;
}

/** An OAuth 2.0 issuer on a socket of this machine. */
export interface Issuer {
  readonly url: string;
  /** The key that signs the access tokens now. */
  readonly key: SigningKey;
  /** It publishes this one beside it, and never changes it. */
  readonly ellipticKey: SigningKey;
  /** The paths that it was asked for. */
  readonly asked: string[];
  /** Signs with another key from now on, and publishes no other. */
  rotate(kid: string): Promise<void>;
  /** Nobody answers at its address any longer. */
  leave(): Promise<void>;
  comeBack(): Promise<void>;
  /** What the robot is given for itself. */
  token(scope?: string, audience?: string): Promise<string>;
}

export async function newKey(kid: string, alg = 'RS256'): Promise<SigningKey> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  return { alg, kid, privateKey, publicKey, jwk: { ...(await exportJWK(privateKey)), alg, kid, use: 'sig' } };
}

let firstKeys: Promise<readonly [SigningKey, SigningKey]> | undefined;

/** Returns the keys that every issuer of this process begins with: to make them takes a tenth of a second. */
function madeOnce(): Promise<readonly [SigningKey, SigningKey]> {
  firstKeys ??= Promise.all([newKey('first'), newKey('elliptic', 'ES256')]);
  return firstKeys;
}

/**
 * A real issuer, which gives access tokens as JWTs (RFC 9068) for the audience, if the resource is named (RFC 8707).
 */
export async function startIssuer(): Promise<Issuer> {
  const asked: string[] = [];
  const paths: RequestListener = (request) => asked.push(request.url ?? '');
  let answer: RequestListener = (_request, response) => response.end();
  const server = createServer((request, response) => answer(request, response)).on('request', paths);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  const [firstKey, ellipticKey] = await madeOnce();
  let key = firstKey;
  const serve = () => (answer = handlerOf(new Provider(url, configuration([key, ellipticKey]))));
  serve();
  return {
    url,
    asked,
    ellipticKey,
    get key() {
      return key;
    },
    rotate: async (next) => {
      key = await newKey(next);
      serve();
    },
    leave: async () => {
      if (!server.listening) return;
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
    comeBack: async () => {
      server.listen(port, '127.0.0.1');
      await once(server, 'listening');
    },
    token: (scope = 'automations:read automations:write', audience = AUDIENCE) => robotToken(url, scope, audience),
  };
}

function handlerOf(provider: Provider): RequestListener {
  const handle = provider.callback();
  return (request, response) => void handle(request, response);
}

function configuration(keys: readonly SigningKey[]): ConstructorParameters<typeof Provider>[1] {
  return {
    clients: [
      { ...CLIENT, grant_types: ['client_credentials'], redirect_uris: [], response_types: [] },
      { client_id: APP.client_id, token_endpoint_auth_method: 'none', redirect_uris: [REDIRECT] },
    ],
    jwks: { keys: keys.map(({ jwk }) => jwk) },
    cookies: { keys: ['cookies of tests'] },
    scopes: ['openid', 'automations:read', 'automations:write', 'other'],
    findAccount: (_context, accountId) => ({ accountId, claims: async () => ({ sub: accountId }) }),
    ttl: {
      AccessToken: 300,
      ClientCredentials: 300,
      AuthorizationCode: 60,
      IdToken: 300,
      Interaction: 300,
      Session: 300,
      Grant: 300,
    },
    features: {
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: (_context, audience) => ({
          scope: 'automations:read automations:write other',
          audience,
          accessTokenFormat: 'jwt',
          jwt: { sign: { alg: 'RS256' } },
        }),
      },
    },
  };
}

async function robotToken(issuer: string, scope: string, resource: string): Promise<string> {
  const form = { grant_type: 'client_credentials', scope, resource };
  const basic = Buffer.from(`${CLIENT.client_id}:${encodeURIComponent(CLIENT.client_secret)}`).toString('base64');
  const headers = { authorization: `Basic ${basic}` };
  const answer = await fetch(`${issuer}/token`, { method: 'POST', headers, body: new URLSearchParams(form) });
  const { access_token: token } = (await answer.json()) as { access_token?: string };
  if (token === undefined) throw new Error(`the issuer answered ${answer.status} and no token`);
  return token;
}
