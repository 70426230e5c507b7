import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';
import { newKey } from './issuer.js';
import { CLIENT_ID, CLIENT_SECRET } from './scripted-issuer.js';

/** A real issuer of OpenID Connect on a socket of this machine, which asks everyone who they are and believes them. */
export interface SignInIssuer {
  readonly url: string;
  /** The claims of its people, by the name that they type. */
  readonly people: Map<string, Readonly<Record<string, unknown>>>;
  /** Lets the service at this address sign people in. */
  admit(serviceUrl: string): void;
  leave(): Promise<void>;
  comeBack(): Promise<void>;
}

export async function startSignInIssuer(): Promise<SignInIssuer> {
  const people: SignInIssuer['people'] = new Map();
  let answer: RequestListener = (_request, response) => response.end();
  const server = createServer((request, response) => answer(request, response));
  const { jwk } = await newKey('sign-in');
  let port = 0;
  const listen = async () => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    ({ port } = server.address() as AddressInfo);
  };
  await listen();
  const url = `http://127.0.0.1:${port}`;
  const admit = (serviceUrl: string) => {
    const provider = new Provider(url, configuration(serviceUrl, jwk, people));
    const handle = provider.callback();
    answer = (request, response) => void handle(request, response);
  };
  admit('http://127.0.0.1:1');
  return {
    url,
    people,
    admit,
    comeBack: listen,
    leave: async () => {
      if (!server.listening) return;
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

function configuration(
  serviceUrl: string,
  jwk: object,
  people: SignInIssuer['people'],
): ConstructorParameters<typeof Provider>[1] {
  return {
    clients: [
      {
        client_id: CLIENT_ID,
        client_secret: CLIENT_SECRET,
        redirect_uris: [`${serviceUrl}/panel/signed-in`],
        post_logout_redirect_uris: [`${serviceUrl}/panel/sign-in`],
        backchannel_logout_uri: `${serviceUrl}/panel/back-channel-logout`,
        backchannel_logout_session_required: true,
      },
    ],
    jwks: { keys: [jwk] },
    cookies: { keys: ['cookies of tests'] },
    claims: { openid: ['sub', 'groups', 'hd', 'oid'], profile: ['name'], email: ['email'] },
    conformIdTokenClaims: false,
    findAccount: (_context, id) => ({ accountId: id, claims: async () => ({ sub: id, ...people.get(id) }) }),
    features: { backchannelLogout: { enabled: true } },
    ttl: { AuthorizationCode: 60, AccessToken: 300, IdToken: 300, Interaction: 300, Session: 300, Grant: 300 },
  };
}
