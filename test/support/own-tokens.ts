import { importJWK, SignJWT, type JWK } from 'jose';
import { ALGORITHM, ServerKeys } from '../../adapters/authorization-server/keys.js';
import { OwnAccessTokenVerifier } from '../../adapters/authorization-server/tokens.js';
import { inMemoryStorage } from '../../adapters/in-memory/index.js';
import { cachedStorage } from '../../adapters/storage/index.js';
import { newCore, OPERATOR, parseDeveloperId } from '../../application/index.js';
import { signedIn } from './signed-in.js';

const SERVER = { issuer: 'https://market.example/oauth', resource: 'https://market.example/api' };
const HOUR_MS = 60 * 60 * 1_000;

/** The tokens of a machine of Ada, and what verifies them and keys, without HTTP. */
export async function ownTokens(now: () => Date = () => new Date()) {
  const storage = cachedStorage(inMemoryStorage());
  const core = newCore(storage, { now });
  const { oauthRecords } = storage;
  const { apps, connections } = core;
  if (oauthRecords === undefined || apps === undefined || connections === undefined) throw new Error('no apps');
  const ada = signedIn({ developerId: parseDeveloperId('ada') });
  const { app } = await apps.register(ada, { name: 'Nightly', kind: 'machine', redirectUris: [] });
  const keys = new ServerKeys(oauthRecords, now);
  const parts = { describe: () => SERVER, keys, connections, now, others: core.verifier };
  return {
    apps,
    app,
    keys,
    ada,
    verifier: new OwnAccessTokenVerifier(parts),
    newKey: async () => (await core.keys.issue(OPERATOR, { developer: 'ada' })).text,
    /** Signs a token, each with an id of its own. */
    newToken: async (changed: Readonly<Record<string, unknown>> = {}) => {
      const [jwk] = (await keys.current()).jwks as [JWK];
      const { issuer: iss, resource: aud } = SERVER;
      const exp = Math.floor((now().getTime() + HOUR_MS) / 1_000);
      const claims = { iss, aud, exp, sub: 'ada', client_id: app.id, scope: 'automations:read', ...changed };
      return new SignJWT({ jti: crypto.randomUUID(), ...claims })
        .setProtectedHeader({ alg: ALGORITHM, typ: 'at+jwt', kid: String(jwk.kid) })
        .sign(await importJWK(jwk, ALGORITHM));
    },
  };
}
