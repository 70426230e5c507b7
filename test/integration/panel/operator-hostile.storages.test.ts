import { expect } from 'chai';
import { OPERATOR, parseDeveloperId, SCOPES } from '../../../application/index.js';
import { CORE, MARKETPLACE } from '../../../composition/tokens.js';
import { panelOnEveryStorage } from '../../support/panel-on-every-storage.js';
import type { Visitor } from '../../support/panel-visitor.js';
import { signedIn } from '../../support/signed-in.js';

const ADA = { developerId: parseDeveloperId('ada'), scopes: SCOPES };
const HTML = `"><img src=x onerror=alert(1)><script>alert(2)</script>'&amp;<%= 7*7 %>`;
const AT = '/panel/operator';

panelOnEveryStorage('Against the pages for operators', (stage) => {
  let olga: Visitor;
  beforeEach(async () => {
    olga = await stage.developer('olga');
    await stage.service.container.get(CORE).accounts.setRole(OPERATOR, 'olga', 'operator');
    await olga.open(`${AT}/developers`);
  });

  it('HTML in any field is text, wherever it is shown', async () => {
    const { container } = stage.service;
    await stage.stranger().accept(await stage.service.invite('ada'), HTML);
    await container.get(CORE).profiles.change(signedIn(ADA), { publicName: HTML.slice(0, 60) });
    const { key } = await container.get(CORE).keys.issue(OPERATOR, { developer: 'ada', name: HTML });
    await container.get(CORE).categories.add(OPERATOR, { id: 'html', name: HTML });
    const draft = { title: HTML, description: HTML, price: 1, categoryId: 'html' };
    const { id } = await container.get(MARKETPLACE).createAutomation(ADA, draft);
    const gone = await container.get(MARKETPLACE).createAutomation(ADA, draft);
    await container.get(MARKETPLACE).withdrawAutomation(OPERATOR, gone.id, HTML);
    const query = encodeURIComponent(HTML);
    const pages = [
      ...['developers', `developers?q=${query}`, 'developers/ada', 'developers/ada/suspend', `developers/${query}`],
      ...[`developers/ada/keys/${key.id}/revoke`, `developers/ada/keys/${query}/revoke`, 'categories'],
      ...['categories/html/rename', `categories/${query}/rename`, 'automations', 'automations?status=withdrawn'],
      ...[`automations?q=${query}&category=${query}&developer=${query}`, `automations/${id}`, `automations/${gone.id}`],
      ...[`automations/${id}/revise`, `automations/${id}/withdraw`, 'history', `history?developer=${query}`],
      ...[`history?kind=${query}`, `history?before=${query}&trail=${query}`, `developers?notice=${query}`],
    ];
    const forms: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
      ['developers', { developer: HTML, role: HTML, formId: HTML }],
      ['developers/ada/role', { role: HTML, confirmed: HTML }],
      ['developers/ada/suspend', { withdraw: HTML, reason: HTML.repeat(20) }],
      ['categories', { name: HTML.repeat(2), id: HTML }],
      ['categories/html/rename', { name: HTML.repeat(2) }],
      [`automations/${id}/revise`, { title: HTML, description: HTML, price: HTML, categoryId: HTML, basedOn: HTML }],
      [`automations/${id}/revise`, { ...draft, price: '1', step: 'preview' }],
      [`automations/${id}/withdraw`, { reason: HTML.repeat(20) }],
    ];
    const shown = [];
    for (const path of pages) shown.push(await olga.open(`${AT}/${path}`));
    for (const [path, fields] of forms) shown.push(await olga.submit(`${AT}/${path}`, fields));
    for (const [n, { status, body }] of shown.entries()) {
      expect(status, `page ${n}`).to.be.below(500);
      expect(body, `page ${n}`).to.not.match(/<img src=x|<script>|>49</);
    }
    expect(shown.filter(({ body }) => body.includes('&lt;script&gt;')).length).to.be.at.least(18);
    expect(stage.service.errors).to.deep.equal([]);
  });

  it('addresses with other things in them lead nowhere and break nothing', async () => {
    const rows: readonly (readonly [number, string])[] = [
      [404, 'developers/%00'],
      [404, 'developers/__proto__/suspend'],
      [404, `developers/${'a'.repeat(65)}`],
      [404, 'developers/oauth%3A'],
      [404, 'developers/olga/keys/..%2f..%2fetc/revoke'],
      [404, 'categories/%00/rename'],
      [404, 'categories/constructor/rename'],
      [404, 'automations/__proto__'],
      [404, 'automations/new'],
      [404, 'automations/%E0%A4%A/revise'],
      [404, 'nothing'],
      [404, ''],
      [200, 'developers?page=0'],
      [200, 'developers?page=9999999&q=%00'],
      [200, 'categories?page=-1'],
      [200, 'automations?category=__proto__&status=x&page=1e9'],
      [200, 'automations?page=9999999'],
      [200, 'history?before=00000000-0000-0000-0000-000000000000&kind=__proto__'],
      [200, `history?before=${'f'.repeat(36)}&trail=${'a'.repeat(4000)}`],
      [200, 'history?developer=%00'],
      [200, 'categories?notice=__proto__'],
      [414, `automations?q=${'x'.repeat(9000)}`],
    ];
    for (const [status, path] of rows) {
      const answer = await olga.open(`${AT}/${path}`);
      expect(answer.status, path.slice(0, 60)).to.equal(status);
      expect(answer.body, path.slice(0, 60)).to.not.include('class="notice"');
    }
    expect(stage.service.errors).to.deep.equal([]);
  });

  it('a body that is none, too large, compressed or broken is refused, and does nothing', async () => {
    const { id } = await stage.service.container.get(MARKETPLACE).createAutomation(ADA, {
      ...{ title: 'One', description: 'Two', price: 1, categoryId: 'uncategorized' },
    });
    const rows: readonly (readonly [number, string, Readonly<Record<string, string>>])[] = [
      [415, '{}', { 'Content-Type': 'application/json' }],
      [415, 'a=b', { 'Content-Encoding': 'gzip' }],
      [413, `name=${'x'.repeat(192 * 1024)}`, {}],
      [400, 'name=%FF%FE', {}],
      [403, '', {}],
      [403, `token=${olga.token.slice(1)}&reason=`, {}],
    ];
    const before = await entries();
    for (const path of ['developers', 'developers/olga/role', 'categories', `automations/${id}/withdraw`])
      for (const [status, body, headers] of rows) {
        const answer = await olga.post(`${AT}/${path}`, body, headers);
        expect(answer.status, `${path} ${body.slice(0, 20)}`).to.equal(status);
      }
    expect(await entries()).to.deep.equal(before);
  });

  it('a link and a key stand in no log line, no history and no other page', async () => {
    const shown = await olga.submit(`${AT}/developers`, { developer: 'ada', role: '' });
    const link = /id="new-link"[^>]*>[^<]*\/([\w-]{32})</.exec(shown.body)?.[1] ?? expect.fail('there is no link');
    const { text } = await stage.service.container.get(CORE).keys.issue(OPERATOR, { developer: 'ada' });
    const pages = ['developers', 'developers/ada', 'history', 'history?developer=ada', 'automations'];
    const bodies = await Promise.all(pages.map(async (path) => (await olga.open(`${AT}/${path}`)).body));
    const seen = [...bodies, ...stage.service.logged, JSON.stringify(await entries())].join('\n');
    for (const secret of [link, text, text.slice(4, 34)]) expect(seen.includes(secret)).to.equal(false);
  });

  it('of two operators who act at once on one automation, the later is told', async () => {
    const draft = { title: 'One', description: 'Two', price: 1, categoryId: 'uncategorized' };
    const { id, updatedAt } = await stage.service.container.get(MARKETPLACE).createAutomation(ADA, draft);
    const otto = await stage.developer('otto');
    await stage.service.container.get(CORE).accounts.setRole(OPERATOR, 'otto', 'operator');
    await otto.submit(`${AT}/automations/${id}/withdraw`, { reason: 'First' });
    const typed = { ...draft, price: '2', basedOn: updatedAt.toISOString() };
    expect((await olga.submit(`${AT}/automations/${id}/revise`, typed)).status).to.equal(404);
    expect((await olga.submit(`${AT}/automations/${id}/withdraw`, { reason: 'Second' })).status).to.equal(303);
    const { body } = await olga.open(`${AT}/automations/${id}`);
    expect(body).to.include('Withdrawn by an operator').and.include('First');
  });

  async function entries() {
    return (await stage.service.container.get(CORE).audit.list(OPERATOR)).items;
  }
});
