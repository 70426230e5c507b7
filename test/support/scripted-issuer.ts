import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { CompactSign } from 'jose';
import { newKey, type SigningKey } from './issuer.js';
import { listening } from './socket.js';

export const CLIENT_ID = 'market';
export const CLIENT_SECRET = 'a-secret-of-the-market';

/** The code that the issuer gives, which no log may have. */
export const CODE = 'code-that-no-log-may-have';

/** The settings of a service whose people sign in there. */
export function signInSettings(url: string): Readonly<Record<string, string>> {
  return {
    SIGN_IN_ISSUER: url,
    SIGN_IN_CLIENT_ID: CLIENT_ID,
    SIGN_IN_CLIENT_SECRET: CLIENT_SECRET,
    SIGN_IN_NAME: 'Example',
    SIGN_IN_ROLES_CLAIM: 'groups',
    SIGN_IN_OPERATORS: 'admins,owners',
    SIGN_IN_DEVELOPERS: 'sellers',
    SIGN_IN_BUYERS: 'everyone',
  };
}

/** What the token endpoint answers. */
export type TokenAnswer = (request: IncomingMessage, response: ServerResponse) => unknown;

/** An issuer of OpenID Connect that says what a test wants. */
export interface ScriptedIssuer {
  readonly url: string;
  readonly key: SigningKey;
  /** What it says of itself. */
  readonly metadata: Record<string, unknown>;
  /** The bodies that were sent to the token endpoint. */
  readonly exchanged: URLSearchParams[];
  answer: TokenAnswer;
  /** Whether it answers at all. */
  isDown: boolean;
  /** Returns the claims of a person whom nothing is wrong with. */
  claims(nonce: string, more?: object): Record<string, unknown>;
  sign(claims: unknown, header?: object, key?: SigningKey): Promise<string>;
  close(): Promise<void>;
}

export async function startScriptedIssuer(): Promise<ScriptedIssuer> {
  const key = await newKey('scripted');
  const exchanged: URLSearchParams[] = [];
  const server = createServer((request, response) => void respond(request, response));
  const listener = await listening(server);
  const { url } = listener;
  const issuer: ScriptedIssuer = {
    url,
    key,
    exchanged,
    close: () => listener.close(),
    isDown: false,
    answer: (_request, response) => response.end(),
    metadata: {
      issuer: url,
      authorization_endpoint: `${url}/authorize`,
      token_endpoint: `${url}/token`,
      jwks_uri: `${url}/keys`,
      end_session_endpoint: `${url}/end`,
      authorization_response_iss_parameter_supported: true,
      id_token_signing_alg_values_supported: ['RS256', 'HS256'],
    },
    claims: (nonce, more = {}) => {
      const now = Math.floor(Date.now() / 1000);
      return { iss: url, sub: 'ada', aud: CLIENT_ID, iat: now, exp: now + 300, nonce, groups: ['sellers'], ...more };
    },
    sign: (claims, header = {}, { alg, kid, privateKey } = key) =>
      new CompactSign(Buffer.from(JSON.stringify(claims))).setProtectedHeader({ alg, kid, ...header }).sign(privateKey),
  };
  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    const json = (body: unknown) => response.setHeader('Content-Type', 'application/json').end(JSON.stringify(body));
    if (issuer.isDown) request.socket.destroy();
    else if (request.url === '/.well-known/openid-configuration') json(issuer.metadata);
    else if (request.url === '/keys') {
      const { kty, n, e, kid, alg, use } = key.jwk;
      json({ keys: [{ kty, n, e, kid, alg, use }] });
    } else {
      exchanged.push(new URLSearchParams(await text(request)));
      await issuer.answer(request, response);
    }
  };
  return issuer;
}

/** Returns the answer of a token endpoint that has these members. */
export function tokens(members: object, status = 200): TokenAnswer {
  return (_request, response) => {
    response.writeHead(status, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify(members));
  };
}
