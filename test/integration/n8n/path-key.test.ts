import { expect } from 'chai';
import { OPERATOR } from '../../../application/index.js';
import { N8N, N8nStage } from './stage.js';

describe('A key in the path of the library for n8n', () => {
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

  const start = (options: object = {}) =>
    stage.start({ visibility: 'members', verifier: stage.core.verifier, ...options });
  const keyText = async (...scopes: readonly string[]) =>
    String((await stage.keyOf(...scopes))['Authorization']).slice('Bearer '.length);
  const totalAt = async (key: string, headers: Readonly<Record<string, string>> = {}) =>
    (await stage.json(`/n8n/${key}/templates/search?page=1`, headers))['totalWorkflows'];

  it('opens all of it to the editor, when it only reads libraries', async () => {
    await start();
    const at = `/n8n/${await keyText('library:read')}`;
    for (const path of [
      '/health',
      '/templates/categories',
      '/templates/search?search=&page=1&limit=20&category=',
      '/templates/collections?category[]=sales&search=',
      `/templates/workflows/${id}`,
      `/workflows/templates/${id}`,
    ]) {
      expect((await stage.ask(at + path, { Origin: N8N }, 'OPTIONS')).status, path).to.equal(204);
      const answer = await stage.ask(at + path, { Origin: N8N, 'n8n-version': '2.41.1' });
      expect([answer.status, answer.headers.get('access-control-allow-origin')], path).to.deep.equal([200, N8N]);
      expect(answer.headers.get('referrer-policy')).to.equal('no-referrer');
    }
    expect(await stage.json(`${at}/templates/search`)).to.have.property('totalWorkflows', 1);
    expect(stage.exposed).to.deep.equal([]);
    expect(JSON.stringify(stage.completed)).not.to.include('amk_');
  });

  it('counts as reads of its developer', async () => {
    await start({ rateLimits: { reads: 1 } });
    const key = await keyText('library:read');
    expect(await totalAt(key)).to.equal(1);
    expect((await stage.ask(`/n8n/${key}/templates/search`)).status).to.equal(429);
  });

  for (const scopes of [
    ['automations:read'],
    ['automations:write'],
    ['automations:read', 'library:read'],
    ['automations:read', 'automations:write', 'library:read'],
  ])
    it(`is as none with the scopes ${scopes.join(' ')}, and the host learns its id`, async () => {
      await start();
      const key = await keyText(...scopes);
      expect(await totalAt(key)).to.equal(0);
      const [known] = await stage.core.keys.listActive(OPERATOR, 'ada');
      expect(stage.exposed).to.have.length(1);
      expect(stage.exposed[0]).to.have.all.keys('credentialId', 'requestId').and.include({ credentialId: known?.id });
      expect((await stage.ask(`/n8n/${key}/workflows/templates/${id}`)).status).to.equal(404);
    });

  it('that is unknown or revoked is as none, and counts as a failed authentication', async () => {
    await start({ rateLimits: { failedAuthentications: 3 } });
    const key = await keyText('library:read');
    const [known] = await stage.core.keys.listActive(OPERATOR, 'ada');
    await stage.core.keys.revoke(OPERATOR, known?.id ?? '');
    for (const one of [key, 'wrong', 'a.b.c']) expect(await totalAt(one)).to.equal(0);
    expect((await stage.ask(`/n8n/${key}/templates/search`)).status).to.equal(429);
    expect((await stage.ask(`/n8n/${key}/nothing`)).status).to.equal(429);
    expect((await stage.ask(`/n8n/${key}/health`)).status).to.equal(200);
  });

  it('counts less than one in Authorization, which may have other scopes', async () => {
    await start();
    expect(await totalAt('wrong', await stage.keyOf('automations:read'))).to.equal(1);
    expect(await totalAt('wrong', await stage.keyOf('library:read'))).to.equal(1);
    expect(await totalAt(await keyText('library:read'), { Authorization: 'Bearer wrong' })).to.equal(0);
  });

  it('leaves a public library public, and other paths unknown', async () => {
    await start({ visibility: 'public' });
    expect(await totalAt('wrong')).to.equal(1);
    const key = await keyText('library:read');
    for (const path of [`/n8n/${key}`, `/n8n/${key}/`, `/n8n/${key}/${key}/health`, `/n8n//health`])
      expect((await stage.ask(path)).status, path).to.equal(404);
    expect(stage.completed.map((one) => 'route' in one && one.route)).not.to.include(key);
  });

  it('is found under a mount path', async () => {
    await start({ mountPath: '/market' });
    const answer = await stage.ask(`/market/n8n/${await keyText('library:read')}/templates/search`);
    expect(await answer.json()).to.have.property('totalWorkflows', 1);
  });
});
