import { expect } from 'chai';
import { OPERATOR } from '../../../application/index.js';
import { EXPORTED } from '../file-inspection/workflow.js';
import { CATEGORIES, N8N, N8nStage } from './stage.js';

/** What the editor of n8n 2.41.1 sends with each request but that for health. */
const EDITOR = {
  Accept: 'application/json, text/plain, */*',
  Cookie: 'n8n-auth=secret-of-the-session',
  'n8n-version': '2.41.1',
  Origin: N8N,
};
/** What its browser asks first. */
const PREFLIGHT = {
  Accept: '*/*',
  'Access-Control-Request-Headers': 'n8n-version',
  'Access-Control-Request-Method': 'GET',
  Origin: N8N,
};
const FIRST_SEARCH = '/n8n/templates/search?search=&page=1&limit=20&category=';
const ITEM_MEMBERS = ['id', 'name', 'createdAt', 'totalViews', 'user', 'nodes'];

describe('The library for n8n, as its editor asks', () => {
  let stage: N8nStage;
  let id: string;
  beforeEach(async () => {
    stage = await N8nStage.open();
    id = await stage.publish();
    await stage.start();
  });
  afterEach(async () => {
    await stage.close();
    expect(stage.failures).to.deep.equal([]);
  });

  it('answers each request that opens it, and the preflight in front of it', async () => {
    const health = await stage.ask('/n8n/health', { Origin: N8N });
    expect([health.status, health.headers.get('access-control-allow-origin')]).to.deep.equal([200, N8N]);
    for (const path of [
      '/n8n/templates/categories',
      FIRST_SEARCH,
      '/n8n/templates/search?search=&page=1&limit=20&category=Sales',
      '/n8n/templates/collections?&search=',
      '/n8n/templates/collections?category[]=sales&search=',
      `/n8n/templates/workflows/${id}`,
      `/n8n/workflows/templates/${id}`,
    ]) {
      const preflight = await stage.ask(path, PREFLIGHT, 'OPTIONS');
      expect(preflight.status, path).to.equal(204);
      expect(Object.fromEntries(preflight.headers), path).to.include({
        'access-control-allow-origin': N8N,
        'access-control-allow-credentials': 'true',
        'access-control-allow-headers': 'n8n-version',
      });
      const answer = await stage.ask(path, EDITOR);
      expect(answer.status, path).to.equal(200);
      expect(Object.fromEntries(answer.headers), path).to.include({
        'access-control-allow-origin': N8N,
        'access-control-allow-credentials': 'true',
        'content-type': 'application/json; charset=utf-8',
        'referrer-policy': 'no-referrer',
        'cache-control': 'no-store',
      });
      expect(answer.headers.get('vary'), path).to.match(/\bOrigin\b/);
      expect(answer.headers.get('set-cookie'), path).to.equal(null);
    }
  });

  it('has categories as objects', async () => {
    const { categories }: { categories: object[] } = await stage.json('/n8n/templates/categories', EDITOR);
    expect(categories).to.have.deep.members(CATEGORIES);
  });

  it('lists templates without a price and without their texts', async () => {
    const { workflows, ...rest }: { workflows: Record<string, unknown>[] } = await stage.json(FIRST_SEARCH, EDITOR);
    expect(rest).to.deep.equal({ totalWorkflows: 1, filters: [] });
    expect(workflows).to.have.length(1);
    expect(Object.keys(workflows[0] ?? {})).to.deep.equal(ITEM_MEMBERS);
    expect(workflows[0]).to.deep.include({
      id,
      name: 'Notify',
      totalViews: 0,
      user: { username: 'ada', name: 'ada' },
      nodes: [{ name: 'Google Sheets', displayName: 'Google Sheets' }],
    });
    expect(new Date(String(workflows[0]?.['createdAt'])).toISOString()).to.equal(workflows[0]?.['createdAt']);
  });

  it('has no collections', async () => {
    expect(await stage.json('/n8n/templates/collections?search=', EDITOR)).to.deep.equal({ collections: [] });
    expect((await stage.ask('/n8n/templates/collections/1', EDITOR)).status).to.equal(404);
  });

  it('shows the page of a template', async () => {
    const { workflow }: { workflow: Record<string, unknown> } = await stage.json(
      `/n8n/templates/workflows/${id}`,
      EDITOR,
    );
    const members = [...ITEM_MEMBERS, 'description', 'image', 'categories', 'workflow'];
    expect(Object.keys(workflow)).to.deep.equal(members);
    expect(workflow).to.deep.include({ id, description: 'Tells *everyone*.', image: [], categories: [CATEGORIES[0]] });
    expect(workflow['workflow']).to.have.all.keys('nodes', 'connections');
    expect(workflow['workflow']).to.have.deep.property('connections', EXPORTED.connections);
  });

  it('hands out what comes onto the canvas', async () => {
    const flat: Record<string, unknown> = await stage.json(`/n8n/workflows/templates/${id}`, EDITOR);
    expect(Object.keys(flat)).to.deep.equal(['id', 'name', 'workflow']);
    expect(flat).to.include({ id, name: 'Notify' });
    const { nodes, ...others } = flat['workflow'] as { nodes: { name: string }[] };
    expect(nodes.map(({ name }) => name)).to.deep.equal(['Webhook', 'Sheet']);
    expect(others).to.deep.equal({ connections: EXPORTED.connections, settings: { executionOrder: 'v1' } });
  });

  it('has settings also for a workflow without them', async () => {
    const bare = await stage.publish({ workflow: { nodes: [], connections: {} } });
    expect(await stage.json(`/n8n/workflows/templates/${bare}`)).to.have.deep.property('workflow', {
      nodes: [],
      connections: {},
      settings: {},
    });
  });

  it('names the developer in public', async () => {
    await stage.core.profiles.change({ isSignedIn: true, developerId: 'ada', role: 'developer' } as never, {
      publicName: 'Ada Lovelace',
    });
    const { workflows }: { workflows: { user: object }[] } = await stage.json(FIRST_SEARCH, EDITOR);
    expect(workflows[0]?.user).to.deep.equal({ username: 'Ada Lovelace', name: 'Ada Lovelace' });
  });

  it('knows nothing without a file of n8n, nothing that was withdrawn, and no other ids', async () => {
    const others = [
      await stage.publish({ workflow: null }),
      await stage.publish({ workflow: null, price: 9.99 }),
      await stage.publish({ workflow: { some: 'other JSON' } }),
      await stage.publish(),
    ];
    await stage.core.marketplace.withdrawAutomation(OPERATOR, others[3] ?? '');
    expect(await stage.search('page=1&limit=20')).to.deep.equal({ names: ['Notify'], total: 1 });
    for (const other of [...others, '1', 'x', '%00', '%E0%A4%A', '..%2f'])
      for (const path of [`/n8n/templates/workflows/${other}`, `/n8n/workflows/templates/${other}`]) {
        const answer = await stage.ask(path, EDITOR);
        expect(answer.status, path).to.equal(404);
        expect(answer.headers.get('access-control-allow-origin'), path).to.equal(N8N);
        expect(await answer.json(), path).to.deep.equal({
          code: 'not-found',
          message: 'There is no such template, or not any more.',
        });
      }
  });
});

describe('A search in the library for n8n', () => {
  let stage: N8nStage;
  const titles = (from: number, to: number) => Array.from({ length: from - to + 1 }, (_, n) => `Flow ${from - n}`);
  before(async () => {
    stage = await N8nStage.open();
    for (let n = 1; n <= 130; n += 1)
      await stage.publish({
        title: `Flow ${n}`,
        categoryId: CATEGORIES[n % 3]?.id ?? '',
        workflow: { nodes: [], connections: {} },
      });
    await stage.start();
  });
  after(() => stage.close());

  it('has up to 100 templates on the first page, newest first, and goes on where the editor does', async () => {
    const first = await stage.search('search=&page=1&limit=20&category=');
    expect(first).to.deep.equal({ names: titles(130, 31), total: 130 });
    // 100 of 20 each are five pages.
    expect((await stage.search('search=&page=6&limit=20&category=')).names).to.deep.equal(titles(30, 11));
    expect((await stage.search('search=&page=7&limit=20&category=')).names).to.deep.equal(titles(10, 1));
    expect(await stage.search('search=&page=8&limit=20&category=')).to.deep.equal({ names: [], total: 130 });
  });

  it('rounds up a page that is a fraction, and keeps to bounds', async () => {
    expect((await stage.search('page=1.5&limit=20')).names).to.deep.equal(titles(110, 91));
    expect((await stage.search('page=1&limit=3')).names).to.deep.equal(titles(130, 128));
    for (const query of ['', 'limit=1000', 'page=-1&limit=0', 'page=x&limit=x', 'page=0.5', 'page=NaN', 'limit=1e99'])
      expect((await stage.search(query)).names, query).to.deep.equal(titles(130, 31));
    for (const page of ['1e99', 'Infinity', '99999999999'])
      expect((await stage.search(`page=${page}`)).names, page).to.deep.equal([]);
  });

  it('finds words', async () => {
    expect(await stage.search('search=flow+77&page=1&limit=20')).to.deep.equal({ names: ['Flow 77'], total: 1 });
    expect(await stage.search('search=nothing')).to.deep.equal({ names: [], total: 0 });
    expect((await stage.search('search=%20%20')).total).to.equal(130);
  });

  it('says what is wrong with the words', async () => {
    const answer = await stage.ask('/n8n/templates/search?search=...');
    expect([answer.status, await answer.json()]).to.deep.equal([
      400,
      { code: 'invalid-query', message: 'The search must have a letter or a digit.' },
    ]);
    expect((await stage.ask(`/n8n/templates/search?search=${'a'.repeat(201)}`)).status).to.equal(400);
  });

  const totals = { sales: 43, 'Support, chat': 44, chat: 43 };
  for (const [asked, total] of [
    ['Sales', totals.sales],
    ['sales', totals.sales],
    ['Support, chat', totals['Support, chat']],
    ['support', totals['Support, chat']],
    ['chat', totals.chat],
    ['Sales,chat', 86],
    ['Support, chat,Sales', 87],
    ['Sales,Support, chat,chat', 130],
    ['Sales,Sales,sales', totals.sales],
    ['Nothing,Sales,', totals.sales],
    ['Nothing', 0],
    [',', 0],
    ['Support', 0],
    ['__proto__,constructor', 0],
  ] as const)
    it(`finds ${total} in the categories "${asked}"`, async () => {
      expect((await stage.search(`category=${encodeURIComponent(asked)}`)).total).to.equal(total);
    });

  it('mixes the newest of several categories', async () => {
    const both = `category=${encodeURIComponent('Sales,chat')}&page=`;
    const newest = titles(130, 1).filter((title) => Number(title.slice(5)) % 3 !== 1);
    expect((await stage.search(`${both}1&limit=20`)).names).to.deep.equal(newest);
    expect((await stage.search(`${both}2&limit=30`)).names).to.deep.equal(newest.slice(30, 60));
    expect((await stage.search(`${both}9&limit=20`)).names).to.deep.equal([]);
    expect((await stage.search(`${both}1&limit=20&search=77`)).names).to.deep.equal(['Flow 77']);
  });
});
