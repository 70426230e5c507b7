import { expect } from 'chai';
import { createHash } from 'node:crypto';
import { OPERATOR } from '../../../application/index.js';
import { startShopWithFiles, type ShopWithFiles } from '../../support/shop-with-files.js';
import { EXPORTED } from '../file-inspection/workflow.js';

const HOSTILE = '"><script>alert(1)</script>';
const file = (content: object, name = 'notify.json') => ({ name, bytes: Buffer.from(JSON.stringify(content)) });
const WORKFLOW = file(EXPORTED);

let shop: ShopWithFiles;

async function get(path: string, headers: Readonly<Record<string, string>> = {}) {
  const answer = await fetch(`${shop.url}${path}`, { headers });
  return { status: answer.status, headers: answer.headers, body: await answer.text() };
}

describe('The catalogue and the files of automations', () => {
  beforeEach(async () => {
    shop = await startShopWithFiles();
  });
  afterEach(() => shop.close());

  it('the page of an automation begins with its file: name, size, and a link that leads to the bytes', async () => {
    const id = await shop.offer({ file: WORKFLOW });
    const { body } = await get(`/catalogue/${id}`);
    const { file: stored } = (await shop.core.catalogue.read(id))?.automation ?? {};
    const links = Array.from(body.matchAll(/<a class="button[^"]*" href="([^"]*)"[^>]*>(.*?)<\/a>/g));
    const [download, copy] = links.map(([, address, text]) => [address, text?.replace(/<[^>]*>/g, '')]);
    expect(download).to.deep.equal([`/files/${id}`, `Download notify.json (${stored?.size} bytes)`]);
    expect(copy).to.deep.equal([`/files/${id}`, 'Copy to the clipboard']);
    const bytes = Buffer.from(await (await fetch(`${shop.url}/files/${id}`)).arrayBuffer());
    expect(createHash('sha256').update(bytes).digest('hex')).to.equal(stored?.sha256);
    expect(body).to.include('Works with').and.not.include('has not said where to get it');
  });

  it('the page says what the file needs and does and what is broken in it, and shows its graph', async () => {
    const [webhook = expect.fail(), sheet = expect.fail()] = EXPORTED.nodes;
    const code = { ...webhook, name: 'Code', type: 'n8n-nodes-base.code', parameters: { jsCode: 'return []' } };
    const connections = { Webhook: { main: [[{ node: 'Nowhere', type: 'main', index: 0 }]] } };
    const id = await shop.offer({ file: file({ ...EXPORTED, nodes: [webhook, sheet, code], connections }) });
    const { body } = await get(`/catalogue/${id}`);
    expect(body.replace(/<[^>]*>/g, ''))
      .to.include('Google Sheets')
      .and.include('runs code (1)')
      .and.include('is started by requests from outside (1)')
      .and.include('1 connections lead to no step');
    expect(body).to.match(/<figure class="card picture"[^>]*><svg [^>]*role="img" aria-label="Notify: /);
  });

  it('the page of a workflow opens it in n8n, after the ways to get it, and names no address to n8n', async () => {
    await shop.close();
    shop = await startShopWithFiles({ n8nUrls: ['https://n8n.example/team/'] });
    const id = await shop.offer({ file: WORKFLOW, url: 'https://ada.example/notify' });
    const { body, headers } = await get(`/catalogue/${id}`);
    const texts = Array.from(body.matchAll(/<p class="get-it">(.*?)<\/p>/g), ([, link = '']) => link);
    expect(texts.map((text) => text.replace(/<[^>]*>/g, '').split(' ')[0])).to.deep.equal([
      'Download',
      'Copy',
      'Get',
      'Open',
    ]);
    expect(texts[3]).to.equal(
      `<a class="button" rel="noreferrer" href="https://n8n.example/team/workflows/templates/${id}">` +
        '<span>Open in n8n</span></a>',
    );
    expect(headers.get('content-security-policy')).not.to.include('n8n.example');
  });

  it('a file that an operator has refused is on no page, also not on that of another automation', async () => {
    const [id, other] = [await shop.offer({ file: WORKFLOW }), await shop.offer({ file: WORKFLOW })];
    const refusedFile = (await shop.core.catalogue.read(id))?.automation.file?.sha256;
    const before = await get(`/catalogue/${other}`);
    expect(before.body).to.include('Download').and.include('downloadUrl');
    await shop.core.reports?.report({ isVisitor: true }, id, { kind: 'dangerous' });
    await shop.core.reports?.uphold(OPERATOR, id, { reason: 'A trap.', refusedFile });
    const { status, body } = await get(`/catalogue/${other}`);
    expect(status).to.equal(200);
    expect(body).not.to.match(/Download|downloadUrl|data-copy-file|<svg [^>]*role="img"/);
  });

  it('of several installations of n8n, each is named', async () => {
    await shop.close();
    shop = await startShopWithFiles({ n8nUrls: ['https://n8n.example', 'http://10.0.0.7:5678/n8n'] });
    const id = await shop.offer({ file: WORKFLOW });
    const { body } = await get(`/catalogue/${id}`);
    const links = Array.from(body.matchAll(/rel="noreferrer" href="([^"]*)">(.*?)<\/a>/g));
    expect(links.map(([, address, text]) => [address, text?.replace(/<[^>]*>/g, '')])).to.deep.equal([
      [`https://n8n.example/workflows/templates/${id}`, 'Open in n8n: n8n.example'],
      [`http://10.0.0.7:5678/n8n/workflows/templates/${id}`, 'Open in n8n: 10.0.0.7:5678/n8n'],
    ]);
  });

  it('what is no workflow of n8n is opened in none, and without an address of n8n nothing is', async () => {
    const offers = [
      { file: WORKFLOW },
      { file: { name: 'a.sh', bytes: Buffer.from('echo 1') } },
      { file: { name: 'a.zip', bytes: Buffer.from([80, 75, 3, 4]) } },
      { price: 5, url: 'https://ada.example/notify' },
      {},
    ];
    const here = await shop.offer({ file: WORKFLOW });
    expect((await get(`/catalogue/${here}`)).body).not.to.include('Open in n8n');
    await shop.close();
    shop = await startShopWithFiles({ n8nUrls: ['https://n8n.example'] });
    const opened = await Promise.all(
      offers.map(async (draft) => (await get(`/catalogue/${await shop.offer(draft)}`)).body.includes('n8n.example')),
    );
    expect(opened).to.deep.equal([true, false, false, false, false]);
  });

  it('a file of no platform has its link alone, and an archive no button that copies it', async () => {
    const zip = await shop.offer({ file: { name: 'notify.zip', bytes: Buffer.from([80, 75, 3, 4]) } });
    const { body } = await get(`/catalogue/${zip}`);
    expect(body).to.include('Download').and.include('notify.zip').and.include('4 bytes');
    expect(body).not.to.match(/data-copy-file|Works with|class="card picture"|id="in-file"/);
  });

  it('cards, the filter and the search say what an automation works with', async () => {
    await shop.offer({ title: 'With a workflow', file: WORKFLOW });
    await shop.offer({ title: 'With a script', file: { name: 'a.sh', bytes: Buffer.from('echo 1') } });
    await shop.offer({ title: 'Without' });
    const { body } = await get('/catalogue?platform=n8n');
    expect(body).to.include('1–1 of 1').and.include('With a workflow').and.include('Works with n8n');
    expect(body)
      .to.match(/value="n8n" selected/)
      .and.match(/value="email">[^<]*\(1\)/);
    expect((await get('/catalogue')).body).to.include('1–3 of 3');
    const wrong = await get('/catalogue?platform=zapier');
    expect(wrong.body).to.include('1–3 of 3').and.include('Choose one of the platforms in the list.');
  });

  it('feeds have an enclosure, and structured data the address of the file', async () => {
    const id = await shop.offer({ file: WORKFLOW });
    await shop.offer({ title: 'Without' });
    const address = `${shop.url}/files/${id}`;
    const feed = (await get('/catalogue/feed.atom')).body;
    const enclosures = Array.from(feed.matchAll(/<link rel="enclosure" ([^>]*)\/>/g), ([, attributes]) => attributes);
    const { size = 0 } = (await shop.core.catalogue.read(id))?.automation.file ?? {};
    expect(enclosures).to.deep.equal([
      `type="application/json" length="${size}" title="notify.json" href="${address}"`,
    ]);
    const page = (await get(`/catalogue/${id}`)).body;
    const json = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(page)?.[1] ?? '';
    const { '@graph': graph } = JSON.parse(json) as { readonly '@graph': readonly object[] };
    expect(graph[0]).to.deep.include({ '@type': ['Product', 'SoftwareApplication'], downloadUrl: address });
  });

  it('texts of a file are texts, wherever they stand', async () => {
    const [webhook = expect.fail(), sheet = expect.fail()] = EXPORTED.nodes;
    const parameters = { url: `https://example.com/${HOSTILE}`, content: HOSTILE };
    const nodes = [
      { ...webhook, name: HOSTILE, type: `n8n-nodes-${HOSTILE}.thing` },
      { ...sheet, parameters, credentials: { [HOSTILE]: { id: '1', name: HOSTILE } } },
      { ...sheet, name: 'Call', type: 'n8n-nodes-base.httpRequest', parameters },
    ];
    const id = await shop.offer({ file: file({ ...EXPORTED, name: HOSTILE, nodes }, `it's "1" & 'x'.json`) });
    for (const path of [`/catalogue/${id}`, '/catalogue', '/catalogue/feed.atom'])
      expect((await get(path)).body, path).not.to.include('<script>alert');
    expect((await get('/catalogue/feed.atom')).body).to.include("title=\"it's &quot;1&quot; &amp; 'x'.json\"");
  });

  it('a page that the client has is not made again, until the file is another one', async () => {
    const id = await shop.offer({ file: WORKFLOW });
    const first = await get(`/catalogue/${id}`);
    const headers = { 'If-None-Match': first.headers.get('etag') ?? '' };
    expect((await get(`/catalogue/${id}`, headers)).status).to.equal(304);
    await shop.core.marketplace.reviseAutomation(OPERATOR, id, { file: file({ ...EXPORTED, name: 'Other' }) });
    const second = await get(`/catalogue/${id}`, headers);
    expect([second.status, second.body.includes('aria-label="Other: ')]).to.deep.equal([200, true]);
    await shop.core.marketplace.reviseAutomation(OPERATOR, id, { file: null });
    expect((await get(`/catalogue/${id}`)).body).not.to.match(/Download|class="card picture"/);
  });
});

describe('A catalogue', () => {
  afterEach(() => shop.close());

  it('draws a file once, and reads it once', async () => {
    let [drawn, read] = [0, 0];
    shop = await startShopWithFiles({ drawFile: () => ((drawn += 1), `<svg id="picture-${drawn}"></svg>`) });
    const { catalogue } = shop.core;
    const readFile = catalogue.readFile.bind(catalogue);
    catalogue.readFile = (automation) => ((read += 1), readFile(automation));
    const [one, same] = [await shop.offer({ file: WORKFLOW }), await shop.offer({ file: WORKFLOW })];
    for (const id of [one, one, same]) expect((await get(`/catalogue/${id}`)).body).to.include('id="picture-1"');
    expect([drawn, read]).to.deep.equal([1, 1]);
  });

  it('without a path of files leads to none', async () => {
    shop = await startShopWithFiles({ filesPath: undefined, drawFile: undefined });
    const id = await shop.offer({ file: WORKFLOW });
    for (const path of [`/catalogue/${id}`, '/catalogue/feed.atom'])
      expect((await get(path)).body, path).not.to.match(/Download|enclosure|downloadUrl|class="card picture"/);
  });

  it('refuses a path and a function that are none', async () => {
    shop = await startShopWithFiles();
    const n8n = [[], ['n8n.example'], ['javascript:alert(1)'], ['https://n8n.example?a=1'], 'https://n8n.example', [7]];
    for (const options of [{ filesPath: 'files' }, { drawFile: '<svg/>' }, ...n8n.map((n8nUrls) => ({ n8nUrls }))])
      await startShopWithFiles(options as never).then(
        () => expect.fail('it was taken'),
        (error: unknown) => expect(error).to.be.instanceOf(TypeError),
      );
  });
});
