import { expect } from 'chai';
import { createHash } from 'node:crypto';
import { TableFileInspector } from '../../../adapters/file-inspection/index.js';
import { createFilesApp, type FilesOptions } from '../../../adapters/files/index.js';
import { OPERATOR, parseDeveloperId, SCOPES, type Core } from '../../../application/index.js';
import { byUserCookie, hostCore, serve } from '../../support/host-pages.js';
import type { Listening } from '../../support/socket.js';

const ada = { developerId: parseDeveloperId('ada'), scopes: SCOPES };
const DRAFT = { title: 'Sorts mail', description: 'Every morning.', price: 0, categoryId: 'email' };
const BYTES = Buffer.from(Uint8Array.from({ length: 300 }, (_, n) => n % 256));
const ZIP = { name: 'sort.zip', bytes: BYTES };
const ETAG = `"${createHash('sha256').update(BYTES).digest('hex')}"`;
const UNKNOWN = '01900000-0000-7000-8000-000000000009';

let core: Core;
let server: Listening;
let failures: unknown[];

async function start(options: FilesOptions = {}, use = core): Promise<void> {
  const onError = (error: unknown) => void failures.push(error);
  server = await serve(createFilesApp(use, { onError, ...options }));
}

async function publish(file: object | null = ZIP): Promise<string> {
  return (await core.marketplace.createAutomation(ada, { ...DRAFT, file } as never)).id;
}

function get(path: string, headers: Readonly<Record<string, string>> = {}, method = 'GET'): Promise<Response> {
  return fetch(`${server.url}${path}`, { method, headers, redirect: 'manual' });
}

async function statusOf(path: string, headers?: Readonly<Record<string, string>>): Promise<number> {
  const answer = await get(path, headers);
  await answer.arrayBuffer();
  return answer.status;
}

describe('The files of automations', () => {
  beforeEach(async () => {
    [core, failures] = [await hostCore({ fileInspector: new TableFileInspector() }), []];
  });
  afterEach(async () => {
    await server.close();
  });

  describe('A file that everybody gets', () => {
    it('comes byte for byte, to be saved and not shown, and is revalidated', async () => {
      await start({ visibility: 'public' });
      const path = `/files/${await publish()}`;
      const answer = await get(path);
      expect(answer.status).to.equal(200);
      expect(Buffer.from(await answer.arrayBuffer())).to.deep.equal(BYTES);
      expect(Object.fromEntries(answer.headers)).to.include({
        'content-type': 'application/zip',
        'content-length': '300',
        'content-disposition': 'attachment; filename="sort.zip"',
        'x-content-type-options': 'nosniff',
        'content-security-policy': "sandbox; default-src 'none'",
        'cross-origin-resource-policy': 'same-origin',
        'cache-control': 'public, no-cache',
        etag: ETAG,
      });
      const unchanged = await get(path, { 'If-None-Match': ETAG });
      expect([unchanged.status, await unchanged.text()]).to.deep.equal([304, '']);
      const head = await get(path, {}, 'HEAD');
      expect([head.status, head.headers.get('content-length'), await head.text()]).to.deep.equal([200, '300', '']);
    });

    for (const [name, type] of [
      ['a.json', 'application/json'],
      ['a.XML', 'text/plain; charset=utf-8'],
      ['a.js', 'text/plain; charset=utf-8'],
      ['a.tar.gz', 'application/gzip'],
      ['a.nupkg', 'application/zip'],
    ])
      it(`has the type of its name alone: ${name}`, async () => {
        await start({ visibility: 'public' });
        const id = await publish({ name, bytes: Buffer.from('{}') });
        expect((await get(`/files/${id}`)).headers.get('content-type')).to.equal(type);
      });

    it('has its name, whatever the script and the signs', async () => {
      await start({ visibility: 'public' });
      const id = await publish({ name: 'Größe "7" 🙂;.json', bytes: Buffer.from('{}') });
      const disposition = (await get(`/files/${id}`)).headers.get('content-disposition') ?? '';
      expect(disposition).to.match(/^attachment; filename=".*"; filename\*=UTF-8''/);
      expect(decodeURIComponent(/filename\*=UTF-8''(.*)$/.exec(disposition)?.[1] ?? '')).to.equal('Größe "7" 🙂;.json');
    });

    it('is 404 when it is unknown, malformed or none, and 410 when it was withdrawn', async () => {
      await start({ visibility: 'public' });
      const [none, withdrawn] = [await publish(null), await publish()];
      await core.marketplace.withdrawAutomation(OPERATOR, withdrawn);
      for (const id of [none, UNKNOWN, 'x', '..%2f', '%00']) expect(await statusOf(`/files/${id}`), id).to.equal(404);
      for (const path of ['/files', '/files/', `/files/${none}/x`, '/'])
        expect(await statusOf(path), path).to.equal(404);
      expect(await statusOf(`/files/${withdrawn}`)).to.equal(410);
      expect((await get(`/files/${none}`, {}, 'POST')).status).to.equal(405);
      expect(failures).to.deep.equal([]);
    });

    it('that is refused for everyone is 410, of each automation, also for HEAD and a copy that is there', async () => {
      await start({ visibility: 'public' });
      const [id, again] = [await publish(), await publish()];
      await core.reports?.report({ isVisitor: true }, id, { kind: 'dangerous' });
      await core.reports?.uphold(OPERATOR, id, { reason: 'A trap.', refusedFile: ETAG.slice(1, -1) });
      for (const [headers, method] of [
        [{}, 'GET'],
        [{ 'If-None-Match': ETAG }, 'GET'],
        [{}, 'HEAD'],
      ] as const) {
        const answer = await get(`/files/${again}`, headers, method);
        expect(answer.status).to.equal(410);
        expect(answer.headers.get('etag')).to.equal(null);
        if (method === 'GET') expect(await answer.text()).to.match(/^An operator has refused this file/);
      }
      const other = await publish({ name: 'other.zip', bytes: BYTES.subarray(1) });
      expect(await statusOf(`/files/${other}`)).to.equal(200);
      expect(failures).to.deep.equal([]);
    });

    it('that is replaced while it is read is read again', async () => {
      const id = await publish();
      let reads = 0;
      const replacing = {
        read: (one: string) => core.catalogue.read(one),
        isFileRefused: async () => false,
        readFile: async (automation: never) => {
          if ((reads += 1) === 1)
            await core.marketplace.reviseAutomation(OPERATOR, id, { file: { ...ZIP, bytes: Buffer.from('new') } });
          return core.catalogue.readFile(automation);
        },
      };
      await start({ visibility: 'public' }, { ...core, catalogue: replacing as never });
      expect(await (await get(`/files/${id}`)).text()).to.equal('new');
      expect(reads).to.equal(2);
    });
  });

  describe('A file for members', () => {
    const keyOf = async (...scopes: readonly string[]) => {
      const { text } = await core.keys.issue(OPERATOR, { developer: 'ada', scopes });
      return { Authorization: `Bearer ${text}` };
    };

    it('needs a key that reads', async () => {
      await start({ verifier: core.verifier });
      const path = `/files/${await publish()}`;
      const refused = await get(path);
      expect([refused.status, refused.headers.get('cache-control')]).to.deep.equal([401, 'no-store']);
      expect(refused.headers.get('www-authenticate')).to.include('Bearer').and.include('automations:read');
      const answer = await get(path, await keyOf('automations:read'));
      expect([answer.status, answer.headers.get('cache-control')]).to.deep.equal([200, 'private, no-cache']);
      expect(answer.headers.get('vary'))
        .to.match(/Authorization/i)
        .and.match(/Cookie/i);
      expect(await statusOf(path, await keyOf('library:read'))).to.equal(200);
      expect(await statusOf(path, await keyOf('automations:write'))).to.equal(403);
      expect(await statusOf(path, { Authorization: `Bearer amk_${'0'.repeat(36)}` })).to.equal(401);
      expect(await statusOf(`/files/${UNKNOWN}`)).to.equal(401);
    });

    it('is there for those who are signed in', async () => {
      await start({ authenticate: byUserCookie });
      const path = `/files/${await publish()}`;
      expect(await statusOf(path, { Cookie: 'user=bea' })).to.equal(200);
      expect(await statusOf(path, { Cookie: 'user=nobody' })).to.equal(401);
      expect(await statusOf(path, await keyOf('automations:read'))).to.equal(401);
    });

    it('counts as a page', async () => {
      await start({ visibility: 'public', pageRateLimit: 2 });
      const path = `/files/${await publish()}`;
      expect([await statusOf(path), await statusOf(path), await statusOf(path)]).to.deep.equal([200, 200, 429]);
    });
  });
});
