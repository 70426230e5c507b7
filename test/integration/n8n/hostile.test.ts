import { expect } from 'chai';
import { OPERATOR } from '../../../application/index.js';
import { N8N, N8nStage, UNKNOWN } from './stage.js';

const PATHS = [
  '/n8n/health',
  '/n8n/templates/categories',
  '/n8n/templates/search?page=1',
  '/n8n/templates/collections',
  `/n8n/templates/workflows/${UNKNOWN}`,
  `/n8n/workflows/templates/${UNKNOWN}`,
  '/n8n/nothing',
];

describe('The library for n8n, asked by others', () => {
  let stage: N8nStage;
  beforeEach(async () => {
    stage = await N8nStage.open();
    await stage.publish();
  });
  afterEach(async () => {
    await stage.close();
    expect(stage.failures).to.deep.equal([]);
  });

  for (const origin of ['https://evil.example', 'null', '*', `${N8N}.evil.example`, `${N8N}:444`, 'http://n8n.example'])
    it(`names no origin to pages of ${origin}`, async () => {
      await stage.start();
      for (const path of PATHS)
        for (const method of ['GET', 'OPTIONS']) {
          const { headers } = await stage.ask(path, { Origin: origin }, method);
          const names = [...headers.keys()].filter((name) => name.startsWith('access-control-'));
          expect(names, `${method} ${path}`).to.deep.equal([]);
          expect(headers.get('vary')).to.match(/\bOrigin\b/);
        }
    });

  it('answers each of several installations by its origin', async () => {
    await stage.start({ n8nUrls: ['https://a.example/n8n', 'http://localhost:5678/'] });
    for (const Origin of ['https://a.example', 'http://localhost:5678'])
      expect((await stage.ask('/n8n/health', { Origin })).headers.get('access-control-allow-origin')).to.equal(Origin);
    expect((await stage.ask('/n8n/health', { Origin: N8N })).headers.get('access-control-allow-origin')).to.equal(null);
  });

  it('takes no other method, and knows no other path', async () => {
    await stage.start();
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) {
      const answer = await stage.ask('/n8n/templates/search', { Origin: N8N }, method);
      expect([answer.status, answer.headers.get('allow')], method).to.deep.equal([405, 'GET, HEAD, OPTIONS']);
      expect(await answer.json()).to.have.property('code', 'method-not-allowed');
    }
    for (const path of ['/n8n', '/n8n/', '/n8n/templates', '/n8n/templates/search/', '/n8n/Health', '/health', '/']) {
      const answer = await stage.ask(path);
      expect(answer.status, path).to.equal(404);
      expect(await answer.json(), path).to.have.all.keys('code', 'message');
    }
  });

  it('refuses a path and a query that are too long, and too many categories', async () => {
    await stage.start();
    expect((await stage.ask(`/n8n/templates/workflows/${'a'.repeat(8 * 1024)}`)).status).to.equal(414);
    expect(await stage.search(`category=${','.repeat(8_000)}`)).to.deep.equal({ names: [], total: 0 });
    for (let n = 0; n < 11; n += 1)
      await stage.core.categories.add({ isOperator: true }, { id: `c${n}`, name: `C ${n}` });
    const all = Array.from({ length: 11 }, (_, n) => `C ${n}`);
    const answer = await stage.ask(`/n8n/templates/search?category=${encodeURIComponent(all.join(','))}`);
    expect([answer.status, await answer.json()]).to.deep.equal([
      400,
      { code: 'invalid-query', message: 'Choose at most 10 categories.' },
    ]);
    expect((await stage.search(`category=${encodeURIComponent(all.slice(1).join(','))}`)).total).to.equal(0);
  });

  it('has no template whose file an operator has refused for everyone, and says so', async () => {
    await stage.start();
    const [id, same] = [await stage.publish(), await stage.publish()];
    const { automation } = (await stage.core.catalogue.read(id)) ?? {};
    await stage.core.reports?.report({ isVisitor: true }, id, { kind: 'dangerous' });
    await stage.core.reports?.uphold(OPERATOR, id, { reason: 'A trap.', refusedFile: automation?.file?.sha256 });
    for (const path of [`/n8n/templates/workflows/${same}`, `/n8n/workflows/templates/${same}`]) {
      const answer = await stage.ask(path);
      expect([answer.status, await answer.json()]).to.deep.equal([
        404,
        { code: 'not-found', message: 'An operator of the market has refused this template.' },
      ]);
    }
  });

  it('tells nothing of a request but its route', async () => {
    await stage.start();
    await stage.ask(`/n8n/templates/workflows/${UNKNOWN}?x=secret-1`, { Cookie: 'n8n-auth=secret-2' });
    await stage.ask('/n8n/secret-3/templates/search');
    const told = JSON.stringify(stage.completed);
    expect(told)
      .to.include('/n8n/templates/workflows/:id')
      .and.not.match(/secret|0190/);
  });

  it('counts searches and pages of templates by the address, and tells the editor', async () => {
    await stage.start({ pageRateLimit: 2 });
    const statuses: number[] = [];
    for (const path of ['templates/search', 'templates/categories', 'health', 'templates/collections'])
      statuses.push((await stage.ask(`/n8n/${path}`)).status);
    statuses.push((await stage.ask('/n8n/templates/search', { Origin: N8N }, 'OPTIONS')).status);
    expect(statuses).to.deep.equal([200, 200, 200, 200, 204]);
    const answer = await stage.ask('/n8n/templates/search', { Origin: N8N });
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).to.deep.equal([429, N8N]);
    expect(Number(answer.headers.get('retry-after'))).to.be.at.least(1);
    expect(await answer.json()).to.deep.equal({ code: 'quota-exceeded', message: 'The limit is 2 pages a minute.' });
    expect((await stage.ask('/n8n/nothing')).status).to.equal(429);
  });

  it('says that the store is away, and tells the host', async () => {
    const failing = { categories: () => Promise.reject(new Error('away: secret')) };
    await stage.start({}, { catalogue: failing as never });
    const answer = await stage.ask('/n8n/templates/categories', { Origin: N8N });
    expect([answer.status, await answer.json()]).to.deep.equal([
      500,
      { code: 'internal-error', message: 'Something went wrong on our side.' },
    ]);
    expect(answer.headers.get('access-control-allow-origin')).to.equal(N8N);
    expect(stage.failures.splice(0)).to.have.length(1);
  });

  it('has no search by words where the marketplace has none', async () => {
    await stage.start({ search: false });
    expect((await stage.ask('/n8n/templates/search?search=notify')).status).to.equal(400);
    expect((await stage.search('search=')).total).to.equal(1);
  });

  for (const n8nUrls of [
    [],
    ['n8n.example'],
    ['ftp://n8n.example'],
    ['https://a:b@n8n.example'],
    'https://n8n.example',
  ])
    it(`is not made for ${JSON.stringify(n8nUrls)}`, async () => {
      let failure: unknown;
      await stage.start({ n8nUrls: n8nUrls as never }).catch((error: unknown) => (failure = error));
      expect(failure).to.be.instanceOf(TypeError).and.to.have.property('message').that.includes('n8nUrls must be');
    });
});

describe('The library for n8n of a private market', () => {
  let stage: N8nStage;
  let id: string;
  beforeEach(async () => {
    stage = await N8nStage.open();
    id = await stage.publish();
  });
  afterEach(async () => {
    await stage.close();
    expect(stage.failures).to.deep.equal([]);
  });

  const isEmpty = async (headers: Readonly<Record<string, string>> = {}) => {
    const answers: unknown[] = [await stage.search('page=1', headers)];
    answers.push(await stage.json('/n8n/templates/categories', headers));
    for (const path of [`/n8n/templates/workflows/${id}`, `/n8n/workflows/templates/${id}`])
      answers.push((await stage.ask(path, headers)).status);
    expect(answers).to.deep.equal([{ names: [], total: 0 }, { categories: [] }, 404, 404]);
  };

  it('is empty without a key that reads, and never 401', async () => {
    await stage.start({ visibility: undefined, verifier: stage.core.verifier });
    await isEmpty();
    await isEmpty(await stage.keyOf('automations:write'));
    await isEmpty({ Authorization: `Bearer amk_${'0'.repeat(36)}` });
    await isEmpty({ Authorization: 'Basic YTpi' });
    await isEmpty({ Cookie: 'session=any' });
    expect((await stage.ask('/n8n/health')).status).to.equal(200);
  });

  it('is there for the key that a proxy adds, and counts as reads of its developer', async () => {
    await stage.start({ visibility: 'members', verifier: stage.core.verifier, rateLimits: { reads: 3 } });
    const key = await stage.keyOf('automations:read');
    expect(await stage.search('page=1', key)).to.deep.equal({ names: ['Notify'], total: 1 });
    expect((await stage.ask(`/n8n/workflows/templates/${id}`, key)).status).to.equal(200);
    const last = await stage.ask('/n8n/templates/categories', key);
    expect([last.status, last.headers.get('x-ratelimit-remaining')]).to.deep.equal([200, '0']);
    expect((await stage.ask('/n8n/templates/categories', key)).status).to.equal(429);
    expect(stage.completed.filter((one) => 'credentialId' in one && one.credentialId !== undefined)).to.have.length(4);
  });

  it('counts keys that are not valid as failed authentications', async () => {
    await stage.start({ verifier: stage.core.verifier, rateLimits: { failedAuthentications: 2 } });
    const wrong = { Authorization: 'Bearer wrong' };
    const statuses: number[] = [];
    for (let n = 0; n < 3; n += 1) statuses.push((await stage.ask('/n8n/templates/search', wrong)).status);
    expect(statuses).to.deep.equal([200, 200, 429]);
  });
});

describe('The library for n8n under a mount path of a host', () => {
  it('is there, and nowhere else', async () => {
    const stage = await N8nStage.open();
    await stage.start({ mountPath: '/market' });
    expect((await stage.ask('/market/n8n/health')).status).to.equal(200);
    expect(await stage.json('/market/n8n/templates/search')).to.have.property('totalWorkflows', 0);
    await stage.close();
  });
});
