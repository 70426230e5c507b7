import { expect } from 'chai';
import { CORE } from '../../../composition/tokens.js';
import { panelOnEveryStorage } from '../../support/panel-on-every-storage.js';
import type { Visitor } from '../../support/panel-visitor.js';
import { OPERATOR } from '../../../domain/access.js';

const AT = '/panel/operator/developers';
const OWN = `${AT}/olga`;

panelOnEveryStorage('An operator who takes something from themself', (stage) => {
  let olga: Visitor;
  const accounts = () => stage.service.container.get(CORE).accounts;
  const operator = async (id: string) => {
    const visitor = await stage.developer(id);
    await accounts().setRole(OPERATOR, id, 'operator');
    return visitor;
  };
  const account = () => accounts().find(OPERATOR, 'olga');

  beforeEach(async () => {
    olga = await operator('olga');
    await olga.open(AT);
  });

  it('is asked before the role is gone', async () => {
    await operator('otto');
    const asked = await olga.submit(`${OWN}/role`, { role: 'buyer', confirmed: 'no' });
    expect([asked.status, (await account())?.role]).to.deep.equal([200, 'operator']);
    expect(asked.body)
      .to.include('Give up the role of operator?')
      .and.include('Another operator can give you the role again');
    const done = await olga.submit(`${OWN}/role`, { role: 'buyer', confirmed: 'yes' });
    expect([done.status, done.headers.get('location')]).to.deep.equal([303, '/panel']);
    expect(await account()).to.include({ role: 'buyer' });
    expect((await olga.open(AT)).status).to.equal(404);
  });

  it('keeps the role and the account as the last one who is active and can sign in', async () => {
    await operator('otto');
    await accounts().suspend(OPERATOR, 'otto');
    await accounts().invite(OPERATOR, 'oleg', { role: 'operator' });
    const refusals = [
      await olga.submit(`${OWN}/role`, { role: 'buyer', confirmed: 'yes' }),
      await olga.submit(`${OWN}/suspend`, { reason: '' }),
    ];
    for (const { status, body } of refusals) {
      expect(status).to.equal(422);
      expect(body).to.include('This is the only active operator.').and.include('role="alert"');
    }
    expect(await account()).to.include({ role: 'operator', status: 'active' });
    expect((await olga.open(AT)).status).to.equal(200);
  });

  it('keeps the other one, who is the last when both act at once', async () => {
    const otto = await operator('otto');
    await otto.open(AT);
    const [one, other] = await Promise.all([
      olga.submit(`${AT}/otto/suspend`, { reason: '' }),
      otto.submit(`${AT}/olga/role`, { role: 'buyer' }),
    ]);
    expect([one.status, other.status].filter((status) => status === 303)).to.have.length(1);
    const { items } = await accounts().list(OPERATOR);
    expect(items.filter(({ role, status }) => role === 'operator' && status === 'active')).to.have.length(1);
  });

  it('is asked nothing where nothing is lost', async () => {
    await operator('otto');
    const kept = await olga.submit(`${OWN}/role`, { role: 'operator' });
    expect(kept.headers.get('location')).to.equal(`${OWN}?notice=role`);
    const other = await olga.submit(`${AT}/otto/role`, { role: 'buyer' });
    expect(other.headers.get('location')).to.equal(`${AT}/otto?notice=role`);
    const wrong = await olga.submit(`${OWN}/role`, { role: 'king' });
    expect([wrong.status, wrong.body.includes('id="role-message">Role must')]).to.deep.equal([422, true]);
  });

  it('is warned on the page that asks before a suspension, and is then signed out', async () => {
    await operator('otto');
    const asked = (await olga.open(`${OWN}/suspend`)).body;
    expect(asked).to.include('only another operator can restore it');
    expect((await olga.open(`${AT}/otto/suspend`)).body).to.not.include('your own account');
    const done = await olga.submit(`${OWN}/suspend`, { reason: '' });
    expect([done.status, done.headers.get('location')]).to.deep.equal([303, '/panel/sign-in']);
    expect(await account()).to.include({ status: 'suspended' });
    expect((await olga.open(AT)).headers.get('location')).to.match(/^\/panel\/sign-in\?/);
  });

  it('is sent to the page of the account by the form that invites', async () => {
    const refused = await olga.submit(AT, { developer: 'olga', role: 'buyer' });
    expect([refused.status, refused.body.includes('id="role-message">This is your own')]).to.deep.equal([422, true]);
    expect(await account()).to.include({ role: 'operator' });
    for (const role of ['', 'operator'])
      expect((await olga.submit(AT, { developer: 'olga', role })).body, role).to.include('id="new-link"');
    expect(await account()).to.include({ role: 'operator' });
  });
});
