import { expect } from 'chai';
import { CORE, MARKETPLACE } from '../../../composition/tokens.js';
import { OPERATOR, parseDeveloperId, SCOPES } from '../../../application/index.js';
import { panelOnEveryStorage } from '../../support/panel-on-every-storage.js';
import type { Visitor } from '../../support/panel-visitor.js';
import { issuedKeys } from '../../support/lists.js';

const ADA = { developerId: parseDeveloperId('ada'), scopes: SCOPES };
const MAIL = { title: 'Sort my inbox', description: 'Two', price: 3.5, categoryId: 'project-management' };
const AT = '/panel/operator';

panelOnEveryStorage('The pages for operators', (stage) => {
  const accounts = () => stage.service.container.get(CORE).accounts;
  const categories = () => stage.service.container.get(CORE).categories;
  const member = async (id: string, role: string): Promise<Visitor> => {
    const visitor = await stage.developer(id);
    await accounts().setRole(OPERATOR, id, role);
    return visitor;
  };

  /** Returns every address, and whether it takes a form. */
  async function addresses() {
    const { id } = await stage.service.container.get(MARKETPLACE).createAutomation(ADA, MAIL);
    const { key } = await stage.service.keys.issue(OPERATOR, { developer: 'ada' });
    const [developer, automation] = [`${AT}/developers/ada`, `${AT}/automations/${id}`];
    return {
      pages: [
        ...[`${AT}/developers`, developer, `${developer}/suspend`, `${developer}/keys/${key.id}/revoke`],
        ...[`${AT}/automations`, automation, `${automation}/revise`, `${automation}/withdraw`],
        ...[`${AT}/categories`, `${AT}/categories/uncategorized/rename`, `${AT}/history`],
      ],
      forms: [
        ...[`${AT}/developers`, `${developer}/role`, `${developer}/suspend`, `${developer}/restore`],
        `${developer}/keys/${key.id}/revoke`,
        ...[`${automation}/revise`, `${automation}/withdraw`],
        ...[`${AT}/categories`, `${AT}/categories/uncategorized/rename`],
      ],
    };
  }

  it('are there for operators and for nobody else who is signed in; visitors sign in first', async () => {
    const operator = await member('olga', 'operator');
    const visitor = stage.stranger();
    const others = {
      'a buyer': await member('bea', 'buyer'),
      'a developer': await member('ada', 'developer'),
      'an operator whose role was taken': await member('dan', 'operator'),
    };
    const suspended = await member('sam', 'operator');
    for (const who of [suspended, others['an operator whose role was taken']])
      expect((await who.open(`${AT}/developers`)).status).to.equal(200);
    await accounts().suspend(OPERATOR, 'sam');
    await accounts().setRole(OPERATOR, 'dan', 'developer');
    const { pages, forms } = await addresses();
    for (const path of pages) {
      expect((await operator.open(path)).status, path).to.equal(200);
      for (const [who, other] of Object.entries(others))
        expect((await other.open(path)).status, `${who} ${path}`).to.equal(404);
      for (const who of [visitor, suspended])
        expect((await who.open(path)).headers.get('location'), path).to.match(/^\/panel\/sign-in\?/);
    }
    for (const path of forms) {
      for (const [who, other] of Object.entries(others))
        expect((await other.submit(path, FIELDS)).status, `${who} ${path}`).to.equal(404);
      for (const who of [visitor, suspended])
        expect((await who.submit(path, FIELDS)).body, path).to.include('<h1>Sign in</h1>');
    }
    expect(await accounts().find(OPERATOR, 'eve')).to.equal(undefined);
    expect(await accounts().find(OPERATOR, 'ada')).to.include({ role: 'developer', status: 'active' });
    expect((await stage.service.marketplace.listAutomations(ADA)).items).to.have.length(1);
    expect((await categories().list()).filter(({ name }) => name === 'New')).to.deep.equal([]);
    const keys = await issuedKeys(stage.service.keys, OPERATOR, 'ada');
    expect(keys.filter(({ revokedAt }) => revokedAt)).to.deep.equal([]);
    for (const who of [others['a buyer'], others['a developer'], others['an operator whose role was taken']])
      expect((await who.open('/panel/account')).body)
        .to.include('Account')
        .and.not.include(AT);
  });

  it('take no form without the token of the session, and none from another site', async () => {
    const operator = await member('olga', 'operator');
    await member('ada', 'developer');
    const { forms } = await addresses();
    await operator.open(`${AT}/developers`);
    for (const path of forms) {
      expect((await operator.submit(path, FIELDS, { withToken: false })).status, path).to.equal(403);
      const headers = { Origin: 'https://evil.example' };
      expect((await operator.submit(path, FIELDS, { headers })).status, path).to.equal(403);
    }
    expect(await accounts().find(OPERATOR, 'eve')).to.equal(undefined);
    expect(await accounts().find(OPERATOR, 'ada')).to.include({ role: 'developer', status: 'active' });
    expect((await stage.service.marketplace.listAutomations(ADA)).items).to.have.length(1);
    expect((await categories().list()).filter(({ name }) => name === 'New')).to.deep.equal([]);
    const keys = await issuedKeys(stage.service.keys, OPERATOR, 'ada');
    expect(keys.filter(({ revokedAt }) => revokedAt)).to.deep.equal([]);
  });
});

/** Fields that any of the forms would take. */
const FIELDS = { developer: 'eve', role: 'operator', reason: '', title: 'Changed', price: '1', id: 'new', name: 'New' };
