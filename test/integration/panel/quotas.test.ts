import { expect } from 'chai';
import { OPERATOR, parseDeveloperId, SCOPES } from '../../../application/index.js';
import { MARKETPLACE } from '../../../composition/tokens.js';
import { startPanel, type PanelService } from '../../support/panel.js';
import { Visitor } from '../../support/panel-visitor.js';
import { offer } from '../http/hostile/ask.js';

const TYPED = { title: 'A long <title>', description: 'Typed for an hour', price: '3.5', categoryId: 'uncategorized' };
const DRAFT = { title: 'One', description: 'Two', price: 3.5, category_id: 'uncategorized' };
const ADA = { developerId: parseDeveloperId('ada'), scopes: SCOPES };

describe('The quota of creates', () => {
  let service: PanelService;
  let ada: Visitor;
  const open = async (settings: Readonly<Record<string, string>>) => {
    service = await startPanel(settings);
    ada = new Visitor(service.url);
    await ada.accept(await service.invite('ada'), 'ada');
  };
  const publish = (fields: object = {}) => ada.submit('/panel/automations/new', { ...TYPED, ...fields });
  const count = async () => (await service.marketplace.listAutomations(ADA)).total;
  afterEach(() => service.close());

  it('is one for five keys and the form "Publish": 20 over the API leave 40 of 100 forms', async () => {
    await open({ RATE_LIMIT_CREATES: '60' });
    const create = async () => (await offer(service.url, await service.key('ada'), DRAFT)).status;
    for (let n = 0; n < 5; n += 1)
      expect(await Promise.all([create(), create(), create(), create()])).to.deep.equal([201, 201, 201, 201]);
    const forms: Awaited<ReturnType<typeof publish>>[] = [];
    // No more at once: a service that is busy takes 32 of a client, and refuses others by 503.
    for (let n = 0; n < 5; n += 1) forms.push(...(await Promise.all(Array.from({ length: 20 }, () => publish()))));
    const published = forms.filter(({ status }) => status === 303);
    expect(forms.filter(({ status }) => status === 429)).to.have.length(60);
    expect([published.length, await create(), await count()]).to.deep.equal([40, 429, 60]);
  });

  it('keeps the text of a form that is refused, and says when to send it again', async () => {
    await open({ RATE_LIMIT_CREATES: '1' });
    expect((await publish()).status).to.equal(303);
    const { status, headers, body } = await publish();
    expect([status, headers.get('content-type')]).to.deep.equal([429, 'text/html; charset=utf-8']);
    expect(headers.get('retry-after')).to.match(/^([1-9]|[1-5][0-9]|60)$/);
    expect(body)
      .to.include('You have saved too many automations in a minute. This one was not saved')
      .and.include('value="A long &lt;title&gt;"')
      .and.include('>Typed for an hour</textarea>')
      .and.include('value="3.5"');
    expect(await count()).to.equal(1);
  });

  it('counts a revision, and keeps its text', async () => {
    await open({ RATE_LIMIT_CREATES: '1' });
    const { id, updatedAt } = await service.container.get(MARKETPLACE).createAutomation(ADA, { ...TYPED, price: 1 });
    const path = `/panel/automations/${id}/revise`;
    const basedOn = updatedAt.toISOString();
    const revised = await ada.submit(path, { ...TYPED, title: 'Two', basedOn });
    expect(revised.status).to.equal(303);
    const refused = await ada.submit(path, { ...TYPED, title: 'Three', basedOn });
    expect(refused.status).to.equal(429);
    expect(refused.body).to.include('value="Three"').and.include(`name="basedOn" value="${basedOn}"`);
    expect((await service.marketplace.readAutomation(ADA, id)).title).to.equal('Two');
  });

  it('does not count a preview, and is not that of another developer', async () => {
    await open({ RATE_LIMIT_CREATES: '1' });
    for (let n = 0; n < 3; n += 1) expect((await publish({ step: 'preview' })).status).to.equal(200);
    expect((await publish()).status).to.equal(303);
    const bob = new Visitor(service.url);
    await bob.accept(await service.invite('bob'), 'bob');
    expect((await bob.submit('/panel/automations/new', TYPED)).status).to.equal(303);
  });

  it('does not hold up a revocation when a leaked key has used it up', async () => {
    await open({ RATE_LIMIT_CREATES: '1' });
    const { text, key } = await service.keys.issue(OPERATOR, { developer: 'ada' });
    expect((await offer(service.url, text, DRAFT)).status).to.equal(201);
    expect((await publish()).status).to.equal(429);
    expect((await ada.submit(`/panel/keys/${key.id}/revoke`, {})).status).to.equal(303);
    expect((await offer(service.url, text, DRAFT)).status).to.equal(401);
  });
});
