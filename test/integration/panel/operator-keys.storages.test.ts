import { expect } from 'chai';
import { OPERATOR } from '../../../application/index.js';
import { CORE } from '../../../composition/tokens.js';
import { panelOnEveryStorage } from '../../support/panel-on-every-storage.js';
import type { Visitor } from '../../support/panel-visitor.js';
import { issuedKeys } from '../../support/lists.js';

const AT = '/panel/operator/developers';

panelOnEveryStorage('The keys of a developer for operators', (stage) => {
  let olga: Visitor;
  beforeEach(async () => {
    olga = await stage.developer('olga');
    await accounts().setRole(OPERATOR, 'olga', 'operator');
    await olga.open(AT);
  });

  const accounts = () => stage.service.container.get(CORE).accounts;
  const keys = () => stage.service.container.get(CORE).keys;
  const latest = async () => (await stage.service.container.get(CORE).audit.list(OPERATOR)).items[0];
  const open = async (path: string) => (await olga.open(`${AT}${path}`)).body;

  it('are listed without their text, and one is revoked after a page that asks', async () => {
    await stage.service.invite('ada');
    expect(await open('/ada')).to.include('No keys.');
    const { key, text } = await keys().issue(OPERATOR, { developer: 'ada', name: 'Laptop <b>' });
    await keys().issue(OPERATOR, { developer: 'bob', name: 'Of Bob' });
    const list = await open('/ada');
    expect(list).to.include('1 active key').and.include('Laptop &lt;b&gt;').and.include('automations:write');
    expect(list)
      .to.not.match(/Of Bob|>Rotate<|>Rename</)
      .and.not.include(text);
    const asked = await open(`/ada/keys/${key.id}/revoke`);
    expect(asked).to.include('Revoke this key?').and.include('a key of ada').and.include(`href="${AT}/ada"`);
    const done = await olga.submit(`${AT}/ada/keys/${key.id}/revoke`, {});
    expect([done.status, done.headers.get('location')]).to.deep.equal([303, `${AT}/ada?notice=revoked`]);
    const revocation = { action: 'key-revoked', operatorId: 'olga', developerId: 'ada', subject: key.id };
    expect(await latest()).to.include(revocation);
    expect(await open('/ada?notice=revoked'))
      .to.include('The key is revoked.')
      .and.include('Expired and revoked keys (1)');
    expect((await olga.submit(`${AT}/ada/keys/${key.id}/revoke`, {})).status).to.equal(409);
  });

  it('are those of this developer alone', async () => {
    await stage.service.invite('ada');
    const own = await keys().issue(OPERATOR, { developer: 'ada' });
    const { key } = await keys().issue(OPERATOR, { developer: 'bob' });
    for (const path of [`ada/keys/${key.id}`, 'ada/keys/x', 'ada/keys/__proto__', `nobody/keys/${key.id}`])
      expect((await olga.submit(`${AT}/${path}/revoke`, {})).status, path).to.equal(404);
    const all = [...(await issuedKeys(keys(), OPERATOR, 'ada')), ...(await issuedKeys(keys(), OPERATOR, 'bob'))];
    expect(all.filter(({ revokedAt }) => revokedAt)).to.deep.equal([]);
    expect((await olga.submit(`${AT}/bob/keys/${own.key.id}/revoke`, {})).status).to.equal(404);
  });

  it('are shown of one who has nothing else, who can be suspended', async () => {
    await keys().issue(OPERATOR, { developer: 'bob', name: 'Of Bob' });
    expect(await open('/bob'))
      .to.include('No sign-in')
      .and.include('Of Bob');
    expect(await open(''))
      .to.include('>bob<')
      .and.include('No sign-in');
    await olga.submit(`${AT}/bob/suspend`, { reason: '' });
    expect(await accounts().find(OPERATOR, 'bob')).to.include({ status: 'suspended' });
  });

  it('are none of one who is known by access tokens', async () => {
    const identity = { issuer: 'https://id.example', subject: '~ann?' };
    const id = await stage.service.container.get(CORE).identities.accountOf(identity);
    expect(await open(`/${id}`)).to.include('No keys.');
    expect((await olga.open(`${AT}/${id}/keys/x/revoke`)).status).to.equal(404);
  });
});
