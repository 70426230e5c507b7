import { expect } from 'chai';
import { DEVELOPER_ACCOUNTS } from '../../../composition/tokens.js';
import { panelOnEveryStorage } from '../../support/panel-on-every-storage.js';
import type { Visitor } from '../../support/panel-visitor.js';
import { OPERATOR } from '../../../domain/access.js';

const AT = '/panel/operator/developers';
const OWN = `${AT}/olga`;

panelOnEveryStorage('An operator who takes something from themself', (stage) => {
  let olga: Visitor;
  const accounts = () => stage.service.container.get(DEVELOPER_ACCOUNTS);
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

  it('is asked before the role is gone, and told what the last operator loses', async () => {
    const last = await olga.submit(`${OWN}/role`, { role: 'buyer' });
    expect([last.status, await account()].map((one) => (typeof one === 'number' ? one : one?.role))).to.deep.equal([
      200,
      'operator',
    ]);
    expect(last.body)
      .to.include('Give up the role of operator?')
      .and.include('the only active operator')
      .and.include('<code>developers role olga operator</code>');
    await operator('otto');
    const one = await olga.submit(`${OWN}/role`, { role: 'buyer' });
    expect(one.body).to.include('Another operator can give you the role again').and.not.include('only active operator');
    const done = await olga.submit(`${OWN}/role`, { role: 'buyer', confirmed: 'yes' });
    expect([done.status, done.headers.get('location')]).to.deep.equal([303, '/panel']);
    expect(await account()).to.include({ role: 'buyer' });
    expect((await olga.open(AT)).status).to.equal(404);
  });

  it('does not count on operators who are suspended or never came', async () => {
    await operator('otto');
    await accounts().suspend(OPERATOR, 'otto');
    await accounts().invite(OPERATOR, 'oleg', { role: 'operator' });
    const { body } = await olga.submit(`${OWN}/role`, { role: 'developer' });
    expect(body).to.include('the only active operator');
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
    const last = (await olga.open(`${OWN}/suspend`)).body;
    expect(last).to.include('the only active operator').and.include('<code>developers restore olga</code>');
    await operator('otto');
    const one = (await olga.open(`${OWN}/suspend`)).body;
    expect(one).to.include('only another operator can restore it').and.not.include('only active operator');
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
