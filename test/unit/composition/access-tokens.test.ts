import { expect } from 'chai';
import type { AuthorizationServer } from '../../../adapters/authorization-server/index.js';
import { type ApiKeyVerifier, parseDeveloperId, SCOPES } from '../../../application/index.js';
import { verifierFor, type Takers } from '../../../composition/service/access-tokens.js';

const OWN = 'eyJ.own.signature';
const CREDENTIALS = [OWN, 'eyJ.other.signature', 'key'];

/** Takes everything. */
const takenBy = (taker: string): ApiKeyVerifier => ({
  verify: async () => ({ developerId: parseDeveloperId(taker), scopes: SCOPES }),
});

const own = {
  verifier: (audience: string, others: ApiKeyVerifier) => ({
    verify: (credential: string) => (credential === OWN ? takenBy(`own-${audience}`) : others).verify(credential),
  }),
} as unknown as AuthorizationServer;
const outside = {
  issuer: 'https://issuer.example',
  audiences: { api: 'api', agents: 'agents' },
  verifiers: { api: takenBy('issuer-api'), agents: takenBy('issuer-agents') },
};

async function takersIn(takers: Pick<Takers, 'own' | 'outside'>, audience: 'api' | 'agents') {
  const verifier = verifierFor(audience, { ...takers, keys: takenBy('keys') });
  return Promise.all(CREDENTIALS.map(async (one) => (await verifier.verify(one))?.developerId));
}

describe('Who takes a credential', () => {
  for (const audience of ['api', 'agents'] as const)
    it(`for ${audience} is the own server, then the issuer elsewhere, last the keys`, async () => {
      const [ofOwn, ofIssuer, keys] = [`own-${audience}`, `issuer-${audience}`, 'keys'];
      expect(await takersIn({ own, outside }, audience)).to.deep.equal([ofOwn, ofIssuer, keys]);
      expect(await takersIn({ own, outside: undefined }, audience)).to.deep.equal([ofOwn, keys, keys]);
      expect(await takersIn({ own: undefined, outside }, audience)).to.deep.equal([ofIssuer, ofIssuer, keys]);
      expect(await takersIn({ own: undefined, outside: undefined }, audience)).to.deep.equal([keys, keys, keys]);
    });
});
