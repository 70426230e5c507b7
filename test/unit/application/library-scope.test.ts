import { expect } from 'chai';
import {
  KEY_SCOPES,
  LIBRARY_SCOPE,
  OPERATOR,
  parseDeveloperId,
  parseScopes,
  ROLES,
  SCOPES,
} from '../../../application/index.js';
import { hostCore } from '../../support/host-pages.js';
import { signedIn } from '../../support/signed-in.js';
import { brokenBy } from '../domain/failure.js';

const WEB = { name: 'Ledger', kind: 'web', redirectUris: ['https://ledger.example/back'] } as const;

describe('The scope library:read', () => {
  it('is one of keys alone', async () => {
    expect(KEY_SCOPES).to.deep.equal([...SCOPES, LIBRARY_SCOPE]);
    expect(parseScopes([LIBRARY_SCOPE], KEY_SCOPES)).to.deep.equal([LIBRARY_SCOPE]);
    expect(await brokenBy(() => parseScopes([LIBRARY_SCOPE]))).to.deep.equal(['scopes: unknown-value']);
  });

  for (const role of ROLES)
    it(`is for keys of a person with the role ${role}, stays with a rotation, and is no default`, async () => {
      const core = await hostCore();
      await core.accounts.invite(OPERATOR, 'ada');
      await core.accounts.setRole(OPERATOR, 'ada', role);
      const ada = signedIn({ developerId: parseDeveloperId('ada') }, role);
      const { key, text } = await core.keys.issue(ada, { developer: 'ada', scopes: [LIBRARY_SCOPE] });
      expect(key.scopes).to.deep.equal([LIBRARY_SCOPE]);
      expect(await core.verifier.verify(text)).to.deep.include({ scopes: [LIBRARY_SCOPE] });
      expect((await core.keys.rotate(ada, key.id)).key.scopes).to.deep.equal([LIBRARY_SCOPE]);
      const usual = await core.keys.issue(ada, { developer: 'ada' });
      expect(usual.key.scopes).to.not.include(LIBRARY_SCOPE);
    });

  it('cannot be asked for by an app', async () => {
    const { apps } = await hostCore();
    const register = async () =>
      apps?.register(signedIn({ developerId: 'ada' } as never), { ...WEB, scopes: [LIBRARY_SCOPE] });
    expect(await brokenBy(register)).to.deep.equal(['scopes: unknown-value']);
  });

  it('reads nothing else of the market', async () => {
    const { marketplace } = await hostCore();
    const caller = { developerId: 'ada', scopes: [LIBRARY_SCOPE] } as never;
    for (const call of [
      () => marketplace.listAutomations(caller),
      () => marketplace.listCategories(caller),
      () => marketplace.readAutomation(caller, '01900000-0000-7000-8000-000000000009'),
      () => marketplace.createAutomation(caller, {} as never),
    ])
      expect(await call().catch((error: unknown) => error)).to.have.property('kind', 'forbidden');
  });
});
