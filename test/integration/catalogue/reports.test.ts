import { expect } from 'chai';
import { createCatalogue, type CatalogueOptions } from '../../../adapters/catalogue/index.js';
import { OPERATOR, parseDeveloperId, SCOPES, type Core, type Report } from '../../../application/index.js';
import { MAX_OPEN_REPORTS } from '../../../domain/report.js';
import { byUserCookie, hostCore, serve } from '../../support/host-pages.js';
import { Visitor } from '../../support/panel-visitor.js';
import type { Listening, Sent } from '../../support/socket.js';

const SELLER = { developerId: parseDeveloperId('ada'), scopes: SCOPES };
const DRAFT = { title: 'Sorts mail', description: 'Every morning.', price: 0, categoryId: 'email' };
const UNKNOWN = '01900000-0000-7000-8000-000000000009';
const HOSTILE = `</textarea><script>alert(1)</script>"'&`;

describe('The form that reports an automation', () => {
  let core: Core;
  let server: Listening;
  let failures: unknown[];
  let id: string;
  let form: string;

  async function start(options: CatalogueOptions = {}, use: Pick<Core, 'catalogue' | 'profiles' | 'sessions'> = core) {
    const onError = (error: unknown) => void failures.push(error);
    const shared = {
      authenticate: byUserCookie,
      visibility: 'public',
      pageRateLimit: 'off',
      trustedProxyHops: 1,
    } as const;
    server = await serve(createCatalogue(use, { ...shared, onError, ...options }));
  }

  function visitor(user?: string): Visitor {
    const one = new Visitor(server.url);
    if (user !== undefined) one.cookies.set('user', user);
    return one;
  }

  const send = (one: Visitor, fields: Readonly<Record<string, string>>, headers = {}): Promise<Sent> =>
    one.submit(form, fields, { withToken: false, headers });
  const stored = async (): Promise<readonly Report[]> =>
    (await core.reports?.read(OPERATOR, id, { limit: 100 }))?.items ?? expect.fail();

  beforeEach(async () => {
    [core, failures] = [await hostCore(), []];
    ({ id } = await core.marketplace.createAutomation(SELLER, DRAFT));
    form = `/catalogue/${id}/report`;
  });
  afterEach(async () => {
    await server.close();
    expect(failures).to.deep.equal([]);
  });

  it('is one link away, works without scripts, and thanks a visitor', async () => {
    await start();
    const one = visitor();
    expect((await one.open(`/catalogue/${id}`)).body).to.include(
      `<a href="${form}" rel="nofollow">Report this automation`,
    );
    const { status, headers, body } = await one.open(form);
    expect([status, headers.get('cache-control')]).to.deep.equal([200, 'no-store']);
    expect(body).to.include(`action="${form}"`).and.include('<meta name="robots" content="noindex');
    for (const kind of ['does-not-work', 'misleading', 'dangerous', 'not-theirs', 'other'])
      expect(body).to.include(`name="kind" value="${kind}"`);
    const answer = await send(
      one,
      { kind: 'dangerous', text: 'It sends\r\nkeys away.' },
      { 'X-Forwarded-For': '192.0.2.7' },
    );
    expect([answer.status, answer.headers.get('cache-control')]).to.deep.equal([200, 'no-store']);
    expect(answer.body).to.include('Thank you').and.include('has arrived');
    const [report] = await stored();
    expect(report).to.include({ kind: 'dangerous', text: 'It sends\nkeys away.', address: '192.0.2.7' });
    expect(report).not.to.have.property('developerId');
  });

  it('knows who is signed in, and counts a repeated report of an account once', async () => {
    await start();
    const bea = visitor('bea');
    expect((await bea.open(form)).headers.getSetCookie()).to.deep.equal([]);
    expect((await send(bea, { kind: 'other' })).body).to.include('has arrived');
    expect((await send(bea, { kind: 'dangerous' })).body).to.include('You have reported this automation already');
    expect((await stored()).map(({ kind, developerId }) => [kind, developerId])).to.deep.equal([['other', 'bea']]);
  });

  it('says so where there are 100, and stores no more', async () => {
    for (let n = 0; n < MAX_OPEN_REPORTS; n += 1)
      await core.reports?.report({ isVisitor: true }, id, { kind: 'other' });
    await start();
    expect((await send(visitor(), { kind: 'dangerous' })).body).to.include('Many people have reported');
    expect(await stored()).to.have.length(MAX_OPEN_REPORTS);
  });

  it('stays as it was typed when it is refused, and shows markup as text', async () => {
    await start();
    const typed = { kind: 'misleading', text: `${HOSTILE}${'x'.repeat(1_001)}` };
    const { status, body } = await send(visitor(), typed);
    expect(status).to.equal(422);
    expect(body)
      .to.include('Use at most 1,000 characters')
      .and.include('&lt;/textarea')
      .and.not.include('<script>alert');
    expect(body)
      .to.include('x'.repeat(1_001))
      .and.match(/value="misleading"[^>]* checked/);
    for (const kind of ['', 'rude', '"><script>alert(1)</script>']) {
      const answer = await send(visitor(), { kind, text: 'Kept' });
      expect(answer.status).to.equal(422);
      expect(answer.body).to.include('Choose what is wrong.').and.include('Kept').and.not.include('<script>alert');
    }
    expect(await stored()).to.deep.equal([]);
  });

  it('takes 1,000 characters of any script', async () => {
    await start();
    expect((await send(visitor(), { kind: 'other', text: '🦄'.repeat(1_000) })).status).to.equal(200);
    expect((await stored())[0]?.text).to.equal('🦄'.repeat(1_000));
  });

  it('is refused from another site, and when it is no form', async () => {
    await start();
    for (const headers of [
      { Origin: 'https://elsewhere.example' },
      { Origin: undefined },
      { 'Sec-Fetch-Site': 'cross-site' },
    ])
      expect((await send(visitor('bea'), { kind: 'other' }, headers)).status).to.equal(403);
    expect((await send(visitor(), { kind: 'other' }, { 'Content-Type': 'text/plain' })).status).to.equal(415);
    expect(await stored()).to.deep.equal([]);
  });

  it('is 404 and 410 as the page of its automation is, and has one address', async () => {
    await start();
    const one = visitor();
    for (const path of [`/catalogue/${UNKNOWN}/report`, '/catalogue/x/report']) {
      expect((await one.open(path)).status).to.equal(404);
      expect((await one.submit(path, { kind: 'other' })).status).to.equal(404);
    }
    const upper = await one.open(`/catalogue/${id.toUpperCase()}/report`);
    expect([upper.status, upper.headers.get('location')]).to.deep.equal([308, form]);
    await core.marketplace.withdrawAutomation(OPERATOR, id);
    for (const answer of [await one.open(form), await send(one, { kind: 'other' })]) {
      expect(answer.status).to.equal(410);
      expect(answer.body).to.include('This automation was withdrawn');
    }
  });

  it('is taken 5 times an hour of one browser, without mistakes; then it keeps the text and says when', async () => {
    await start();
    const one = visitor();
    await one.open(form);
    expect(Array.from(one.cookies.keys())).to.deep.equal(['reports']);
    for (let n = 0; n < 5; n += 1) {
      expect((await send(one, { kind: '' })).status).to.equal(422);
      expect((await send(one, { kind: 'other' })).status).to.equal(200);
    }
    const { status, headers, body } = await send(one, { kind: 'other', text: 'My text' });
    expect(status).to.equal(429);
    expect(Number(headers.get('retry-after'))).to.be.within(3_000, 3_600);
    expect(headers.get('ratelimit-policy')).to.equal('"reports";q=5;w=3600');
    expect(body)
      .to.include('My text')
      .and.match(/Try again in \d\d minutes/)
      .and.match(/value="other"[^>]* checked/);
    expect((await send(visitor(), { kind: 'other' })).status).to.equal(200);
    expect(await stored()).to.have.length(6);
  });

  it('is taken 50 times an hour of one network, whatever its cookies, and of others', async () => {
    await start();
    const from = (address: string) => send(visitor(), { kind: 'other' }, { 'X-Forwarded-For': address });
    for (let n = 0; n < 50; n += 1) expect((await from('192.0.2.1')).status).to.equal(200);
    const { status, headers } = await from('192.0.2.1');
    expect([status, headers.get('ratelimit-policy')]).to.deep.equal([429, '"reports";q=50;w=3600']);
    expect((await from('198.51.100.1')).status).to.equal(200);
    const forged = visitor();
    forged.cookies.set('reports', 'x'.repeat(4_000));
    expect((await send(forged, { kind: 'other' }, { 'X-Forwarded-For': '198.51.100.1' })).status).to.equal(200);
    expect(forged.cookies.get('reports')).to.have.length(22);
  });

  it('is taken 20 times an hour of one account, and an office counts as ten networks', async () => {
    await start({ isSharedNetwork: () => true });
    const ids = [id];
    for (let n = 1; n <= 20; n += 1) ids.push((await core.marketplace.createAutomation(SELLER, DRAFT)).id);
    const bea = visitor('bea');
    const statuses = [];
    for (const one of ids)
      statuses.push((await bea.submit(`/catalogue/${one}/report`, { kind: 'other' }, { withToken: false })).status);
    expect(statuses).to.deep.equal([...Array.from({ length: 20 }, () => 200), 429]);
    for (let n = 0; n < 60; n += 1) expect((await send(visitor(), { kind: 'other' })).status).to.equal(200);
  });

  it('is for members alone where the catalogue is, and is not there without reports', async () => {
    await start({ visibility: 'members' });
    expect((await visitor().open(form)).status).to.equal(401);
    expect((await send(visitor(), { kind: 'other' })).status).to.equal(401);
    expect((await send(visitor('bea'), { kind: 'other' })).status).to.equal(200);
    await server.close();
    const { reports: _without, ...others } = core;
    await start({}, others);
    expect((await visitor().open(`/catalogue/${id}`)).body).not.to.include('Report this automation');
    expect((await visitor().open(form)).status).to.equal(404);
    expect((await send(visitor(), { kind: 'other' })).status).to.equal(404);
  });
});
