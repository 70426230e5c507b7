import { expect } from 'chai';
import { TableFileInspector } from '../../../adapters/file-inspection/index.js';
import { createService } from '../../../composition/index.js';
import { inMemoryStorage } from '../../../adapters/in-memory/index.js';
import { OPERATOR } from '../../../domain/access.js';
import { startService, type LocalService } from '../../support/service.js';
import { EXPORTED } from '../file-inspection/workflow.js';

const N8N_URLS = 'https://n8n.example, http://10.0.0.7:5678/n8n';
const WRITING = ['automations:read', 'automations:write'];

async function publish({ url }: LocalService, key: string): Promise<void> {
  const file = { name: 'notify.json', text: JSON.stringify(EXPORTED) };
  const body = { title: 'Notify', description: 'Tells all.', price: 0, category_id: 'communication', file };
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
  const { status } = await fetch(`${url}/api/automations`, { method: 'POST', headers, body: JSON.stringify(body) });
  expect(status).to.equal(201);
}

async function total(library: string, headers: Readonly<Record<string, string>> = {}): Promise<unknown> {
  const answer = await fetch(`${library}/templates/search?page=1&limit=20`, { headers });
  expect(answer.status).to.equal(200);
  return ((await answer.json()) as { totalWorkflows: unknown }).totalWorkflows;
}

describe('The service with N8N_URLS', () => {
  let service: LocalService;
  const start = async (settings: Readonly<Record<string, string>> = {}) => {
    const fileInspector = new TableFileInspector();
    service = await startService({ settings: { N8N_URLS, LOG_LEVEL: 'info', ...settings }, fileInspector });
    await publish(service, await service.key('ada', WRITING));
  };
  afterEach(() => service.close());

  it('has the library at /n8n for pages of these addresses, and for everyone with a public catalogue', async () => {
    await start({ CATALOGUE: 'public' });
    for (const Origin of ['https://n8n.example', 'http://10.0.0.7:5678']) {
      const { headers } = await fetch(`${service.url}/n8n/health`, { headers: { Origin } });
      expect(headers.get('access-control-allow-origin')).to.equal(Origin);
    }
    expect(await total(`${service.url}/n8n`)).to.equal(1);
  });

  it('has pages of workflows that lead to the editor of each', async () => {
    await start({ CATALOGUE: 'public' });
    const list = await (await fetch(`${service.url}/catalogue`)).text();
    const [, path = '', id = ''] = /href="(\/catalogue\/([\da-f-]{36}))"/.exec(list) ?? [];
    const page = await (await fetch(service.url + path)).text();
    for (const url of N8N_URLS.split(', ')) expect(page).to.include(`href="${url}/workflows/templates/${id}"`);
  });

  for (const CATALOGUE of ['members', 'off'])
    it(`has it for a key that reads alone with CATALOGUE=${CATALOGUE}, and logs no path`, async () => {
      await start({ CATALOGUE });
      expect(await total(`${service.url}/n8n`)).to.equal(0);
      const key = await service.key('bea', ['automations:read']);
      expect(await total(`${service.url}/n8n`, { Authorization: `Bearer ${key}` })).to.equal(1);
      await fetch(`${service.url}/n8n/secret-of-a-path/templates/search`, {
        headers: { Cookie: 'n8n-auth=secret-of-n8n' },
      });
      const logged = service.logged.join('\n');
      expect(logged).to.include('"route":"/n8n/templates/search"').and.not.include('secret-of').and.not.include(key);
    });

  it('takes a key that only reads libraries in its path, and logs another one by its id alone', async () => {
    await start({ CATALOGUE: 'members' });
    const key = await service.key('bea', ['library:read']);
    expect(await total(`${service.url}/n8n/${key}`)).to.equal(1);
    expect(service.logged.filter((line) => line.includes('"level":40'))).to.deep.equal([]);
    const exposed = await service.key('bea', ['automations:read', 'library:read']);
    expect(await total(`${service.url}/n8n/${exposed}`)).to.equal(0);
    const [id] = (await service.keys.listActive(OPERATOR, 'bea')).map((one) => one.id);
    const warning = service.logged.find((line) => line.includes('"level":40'));
    expect(warning).to.include(`"keyId":"${id}"`).and.include('revoke it');
    expect(service.logged.join('\n')).not.to.include(key).and.not.to.include(exposed);
  });
});

describe('The service without N8N_URLS', () => {
  it('has no library for n8n', async () => {
    const service = await startService({ settings: { CATALOGUE: 'public' } });
    for (const path of ['/n8n', '/n8n/health', '/n8n/templates/search'])
      expect((await fetch(service.url + path)).status, path).to.equal(404);
    await service.close();
  });
});

describe('The service of a host with n8nUrls', () => {
  it('has the library under its mount path', async () => {
    const options = { storage: inMemoryStorage(), mountPath: '/market', catalogue: 'public' } as const;
    const service = await createService({ ...options, n8nUrls: ['https://n8n.example'] });
    const { port } = (await service.listen(0)).address() as { port: number };
    expect(await total(`http://127.0.0.1:${port}/market/n8n`)).to.equal(0);
    await service.close();
  });

  it('is not made with addresses that are none', async () => {
    const failure = await createService({ storage: inMemoryStorage(), n8nUrls: ['n8n.example'] }).catch(
      (error: unknown) => error,
    );
    expect(failure).to.be.instanceOf(TypeError).and.to.have.property('message').that.includes('n8nUrls must be');
  });
});
