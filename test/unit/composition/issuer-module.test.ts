import { expect } from 'chai';
import { Container } from 'inversify';
import { OPERATOR, parseDeveloperId, SCOPES } from '../../../application/index.js';
import { coreModule, inMemoryModule, oauthModule } from '../../../composition/index.js';
import { API_KEY_VERIFIER, CORE } from '../../../composition/tokens.js';
import { AUDIENCE, startIssuer } from '../../support/issuer.js';

describe('The module of an issuer', () => {
  it('leaves keys to whatever verifier is bound, in any order of loading', async () => {
    const issuer = await startIssuer();
    const tokens = await oauthModule({ issuer: issuer.url, audience: AUDIENCE });
    const token = await issuer.token();
    for (const modules of [
      [tokens, coreModule(), inMemoryModule()],
      [coreModule(), inMemoryModule(), tokens],
    ]) {
      const container = new Container();
      container.load(...modules);
      const { text } = await container.get(CORE).keys.issue(OPERATOR, { developer: 'ada' });
      const verifier = container.get(API_KEY_VERIFIER);
      expect(await verifier.verify(text)).to.include({ developerId: 'ada' });
      const developerId = await container.get(CORE).identities.accountOf({ issuer: issuer.url, subject: 'robot' });
      expect(await verifier.verify(token)).to.include({ developerId });
    }
    await issuer.leave();
  });

  it('leaves to a verifier of the host what is no token', async () => {
    const container = new Container();
    container.load(coreModule(), inMemoryModule());
    const mine = { developerId: parseDeveloperId('ada'), scopes: SCOPES };
    container
      .rebind(API_KEY_VERIFIER)
      .toConstantValue({ verify: async (credential) => (credential === 'session-1' ? mine : undefined) });
    container.load(await oauthModule({ issuer: 'https://login.example', audience: AUDIENCE }));
    expect(await container.get(API_KEY_VERIFIER).verify('session-1')).to.equal(mine);
    expect(await container.get(API_KEY_VERIFIER).verify('eyJ.e30.x')).to.equal(undefined);
  });

  it('refuses an issuer that anybody on the way can play', async () => {
    const refusal = await oauthModule({ issuer: 'http://login.example', audience: AUDIENCE }).catch(String);
    expect(refusal).to.match(/must be an https URL/);
  });
});
