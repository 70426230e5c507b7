import { importJWK, SignJWT, type JWK } from 'jose';
import { ALGORITHM, ServerKeys } from '../../adapters/authorization-server/keys.js';
import { OwnAccessTokenVerifier } from '../../adapters/authorization-server/tokens.js';
import { inMemoryStorage } from '../../adapters/in-memory/index.js';
import { cachedStorage } from '../../adapters/storage/index.js';
import { newCore, OPERATOR, parseDeveloperId, SCOPES } from '../../application/index.js';
import { signedIn } from './signed-in.js';

const SERVER = { issuer: 'https://market.example/oauth', resource: 'https://market.example/api' };
const HOUR_MS = 60 * 60 * 1_000;

/** A machine of Ada and a connected agent, with a verifier of their tokens and of API keys, without HTTP. */
export async function ownTokens(now: () => Date = () => new Date()) {
  const storage = cachedStorage(inMemoryStorage());
  const core = newCore(storage, { now });
  const { oauthRecords } = storage;
  const { apps, connections } = core;
  if (oauthRecords === undefined || apps === undefined || connections === undefined) throw new Error('no apps');
  const ada = signedIn({ developerId: parseDeveloperId('ada') });
  const { app } = await apps.register(ada, { name: 'Nightly', kind: 'machine', redirectUris: [] });
  const clientId = 'https://agent.example/client.json';
  const consent = { clientId, name: 'Agent', scopes: SCOPES, audience: 'api' } as const;
  const connection = await connections.connect(ada, consent);
  const signingKeys = new ServerKeys(oauthRecords, now);
  let server = SERVER;
  const parts = { describe: () => server, keys: signingKeys, connections, now, others: core.verifier };
  return {
    ...{ core, apps, connections, ada, app, connection, signingKeys },
    verifier: new OwnAccessTokenVerifier(parts),
    /** Changes the issuer or the resource. */
    move: (other: Partial<typeof SERVER>) => (server = { ...SERVER, ...other }),
    newApiKey: async () => (await core.keys.issue(OPERATOR, { developer: 'ada' })).text,
    /** Signs a token of the machine, each with an id of its own; with other claims, such as those of the agent. */
    newToken: async (changed: Readonly<Record<string, unknown>> = {}) => {
      const [jwk] = (await signingKeys.current()).jwks as [JWK];
      const { issuer: iss, resource: aud } = SERVER;
      const exp = Math.floor((now().getTime() + HOUR_MS) / 1_000);
      const claims = { iss, aud, exp, sub: 'ada', client_id: app.id, scope: SCOPES.join(' '), ...changed };
      return new SignJWT({ jti: crypto.randomUUID(), ...claims })
        .setProtectedHeader({ alg: ALGORITHM, typ: 'at+jwt', kid: String(jwk.kid) })
        .sign(await importJWK(jwk, ALGORITHM));
    },
    ofAgent: { client_id: clientId, connection: connection.id },
  };
}
