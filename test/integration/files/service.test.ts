import { expect } from 'chai';
import { inMemoryStorage } from '../../../adapters/in-memory/index.js';
import { TableFileInspector } from '../../../adapters/file-inspection/index.js';
import { DeveloperKeys, newCategory, OPERATOR } from '../../../application/index.js';
import { createService, type MarketplaceService, type ServiceOptions } from '../../../composition/index.js';
import { fileInspector } from '../../../composition/service/file-inspector.js';
import { EXPORTED } from '../file-inspection/workflow.js';
import type { AddressInfo } from 'node:net';

const BODY = {
  title: 'Sorts mail',
  description: 'Every morning.',
  price: 0,
  category_id: 'email',
  file: { name: 'sort.json', text: JSON.stringify(EXPORTED) },
};

describe('The files of the whole service', () => {
  let service: MarketplaceService | undefined;
  let url: string;
  let key: string;
  afterEach(() => service?.close());

  const start = async (options: Omit<ServiceOptions, 'storage'>) => {
    const storage = inMemoryStorage();
    await storage.categories.save([newCategory({ id: 'email', name: 'Email' })]);
    service = await createService({ storage, ...options });
    const server = await service.listen(0);
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    key = (await new DeveloperKeys(storage.keys).issue(OPERATOR, { developer: 'ada' })).text;
  };
  const ask = (path: string, body?: object) =>
    fetch(`${url}${path}`, {
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    });
  const published = async () => {
    const { file } = (await (await ask('/api/automations', BODY)).json()) as {
      readonly file: { readonly url: string; readonly platform: string; readonly size: number };
    };
    return file;
  };

  it('are taken, cleaned and handed out to everyone where the catalogue is public', async () => {
    await start({ catalogue: 'public' });
    const file = await published();
    expect(file.platform).to.equal('n8n');
    const answer = await fetch(`${url}${file.url}`);
    const text = await answer.text();
    expect([answer.status, text.length]).to.deep.equal([200, file.size]);
    expect(text).to.include('n8n-nodes-base.googleSheets').and.not.include('Sheets of Ada');
  });

  for (const catalogue of ['members', 'off'] as const)
    it(`are for those with a key where the catalogue is ${catalogue}`, async () => {
      await start({ catalogue });
      const { url: path } = await published();
      expect([(await fetch(`${url}${path}`)).status, (await ask(path)).status]).to.deep.equal([401, 200]);
    });

  it('have the address under which the service is reached', async () => {
    await start({ publicUrl: 'https://market.example', mountPath: '/shop' });
    const { file } = (await (await ask('/shop/api/automations', BODY)).json()) as { file: { url: string } };
    expect(file.url).to.match(/^https:\/\/market\.example\/shop\/files\/[\da-f-]{36}$/);
  });

  it('are of the platforms that the inspector knows once it is loaded', () => {
    expect(fileInspector.platforms).to.deep.equal(new TableFileInspector().platforms);
  });
});
