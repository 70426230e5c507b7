import { expect } from 'chai';
import { createHash } from 'node:crypto';
import { TableFileInspector } from '../../../adapters/file-inspection/index.js';
import type * as wire from '../../../adapters/client/index.js';
import { startService, type LocalService } from '../../support/service.js';
import { Client, created, draft, slugOf, type Answer } from '../../support/service/client.js';
import { EXPORTED } from '../file-inspection/workflow.js';
import { SECRETS } from '../file-inspection/secrets.js';

const MEBIBYTE = 1_048_576;
const WORKFLOW = { name: 'notify.json', text: JSON.stringify(EXPORTED) };
const free = (n: number, file: unknown, fields: object = {}) => ({ ...draft(n, { price: 0 }), file, ...fields });
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

interface FieldErrors {
  readonly errors?: readonly wire.FieldError[];
}

/** The codes of the fields that are wrong, each behind its pointer. */
function errorsIn({ text }: Answer): readonly string[] {
  const { errors = [] } = JSON.parse(text) as FieldErrors;
  return errors.map(({ pointer, code }) => `${pointer}: ${code}`);
}

describe('A create with a file', () => {
  let service: LocalService;
  let client: Client;
  before(async () => {
    service = await startService({ fileInspector: new TableFileInspector() });
    client = new Client(service, await service.key());
  });
  after(async () => {
    client.close();
    await service.close();
  });

  it('as text: the response has what was removed, a read has the rest', async () => {
    const automation = created(await client.post(free(1, WORKFLOW)));
    const { removed, ...file } = automation.file ?? expect.fail('it has a file');
    expect(removed).to.deep.include({ kind: 'pinned-data', count: 1 });
    expect(file).to.include({ name: 'notify.json', media_type: 'application/json', platform: 'n8n' });
    expect(file.facts).to.include({ broken_connections: 0, unconnected_steps: 0, is_complete: true });
    expect(file.facts?.community_packages).to.deep.equal([]);
    const { text } = await client.get(`/automations/${automation.id}`);
    expect(JSON.parse(text)).to.deep.equal({ ...automation, file });
    const { data } = await client.list('?limit=1');
    expect(data).to.deep.equal([{ id: automation.id, title: automation.title, price: 0 }]);
  });

  it('in base64: every byte comes in', async () => {
    const bytes = Uint8Array.from({ length: 512 }, (_, n) => n % 256);
    const { id, file } = created(await client.post(free(2, { name: 'a.zip', base64: base64(bytes) })));
    expect(file).to.include({ name: 'a.zip', media_type: 'application/zip', size: 512, sha256: sha256(bytes) });
    expect(file).to.deep.include({ platform: null, facts: null, removed: [] });
    const stored = await service.repositories.automations.readFile(id as never);
    expect(Buffer.from(stored ?? [])).to.deep.equal(Buffer.from(bytes));
  });

  it('of 1 MiB, as text and in base64, and not of a byte more', async () => {
    const largest = Buffer.alloc(MEBIBYTE, 'a');
    for (const [n, file] of [{ text: largest.toString() }, { base64: base64(largest) }].entries())
      expect(created(await client.post(free(3 + n, { name: 'a.txt', ...file }))).file?.size).to.equal(MEBIBYTE);
    const answer = await client.post(free(5, { name: 'a.txt', base64: base64(Buffer.alloc(MEBIBYTE + 1, 'a')) }));
    expect([answer.status, errorsIn(answer)]).to.deep.equal([422, ['/file: out-of-range']]);
  });

  it('is repeated by the same name and bytes, as text or in base64', async () => {
    const first = await client.post(free(6, WORKFLOW), 'same');
    const inBase64 = { name: WORKFLOW.name, base64: base64(Buffer.from(WORKFLOW.text)) };
    const again = await client.post(free(6, inBase64), 'same');
    expect([again.status, again.headers['idempotent-replayed']]).to.deep.equal([201, 'true']);
    expect(JSON.parse(again.text)).to.deep.equal(JSON.parse(first.text));
    expect(slugOf(await client.post(free(6, null), 'same'))).to.equal('idempotency-key-reused');
  });

  it('null is none', async () => {
    expect(created(await client.post(free(7, null))).file).to.equal(null);
    expect(created(await client.post(draft(8))).file).to.equal(null);
  });

  for (const [what, file, expected] of [
    ['a text', 'notify.json', '/file: wrong-type'],
    ['a list', [WORKFLOW], '/file: wrong-type'],
    ['neither text nor base64', { name: 'a.txt' }, '/file: wrong-type'],
    ['both', { name: 'a.txt', text: 'a', base64: 'YQ==' }, '/file: wrong-type'],
    ['another member', { name: 'a.txt', text: 'a', bytes: [1] }, '/file: wrong-type'],
    ['bytes as a list', { name: 'a.txt', bytes: [1] }, '/file: wrong-type'],
    ['a text that is a number', { name: 'a.txt', text: 1 }, '/file: wrong-type'],
    ['half of a surrogate pair', { name: 'a.txt', text: 'a\ud83d' }, '/file: wrong-type'],
    ['base64 without its end', { name: 'a.zip', base64: 'YQ' }, '/file: wrong-type'],
    ['base64 of URLs', { name: 'a.zip', base64: '-_-_' }, '/file: wrong-type'],
    ['base64 with a line end', { name: 'a.zip', base64: 'YWFh\n' }, '/file: wrong-type'],
    ['base64 with leftover bits', { name: 'a.zip', base64: 'YR==' }, '/file: wrong-type'],
    ['nothing in it', { name: 'a.txt', text: '' }, '/file: out-of-range'],
    ['no name', { text: 'a' }, '/file: required'],
    ['a name with a path', { name: '../a.txt', text: 'a' }, '/file: invalid-format'],
    ['the name of a page', { name: 'a.html', text: 'a' }, '/file: unknown-value'],
    ['a name of a hundred and one', { name: `${'a'.repeat(97)}.txt`, text: 'a' }, '/file: too-long'],
    ['a secret', { name: 'a.txt', text: SECRETS[1]?.secret }, '/file: contains-secret'],
    ['JSON that is none', { name: 'a.json', text: '{' }, '/file: invalid-format'],
    ['text that is none', { name: 'a.txt', base64: '/w==' }, '/file: invalid-text'],
  ] as const)
    it(`is refused with ${what}`, async () => {
      const answer = await client.post(free(9, file));
      expect([answer.status, errorsIn(answer)]).to.deep.equal([422, [expected]]);
      expect(answer.text).not.to.include(SECRETS[1]?.secret);
    });

  it('is refused with a price, together with what else is wrong', async () => {
    const answer = await client.post(free(10, WORKFLOW, { price: 1, title: '', more: 1 }));
    const expected = ['/title: too-short', '/file: not-free', '/more: unknown-member'];
    expect([answer.status, errorsIn(answer)]).to.deep.equal([422, expected]);
  });
});

describe('A body above 64 KiB', () => {
  let service: LocalService;
  before(async () => (service = await startService({ fileInspector: new TableFileInspector() })));
  after(() => service.close());

  const large = (n: number) => free(n, { name: 'a.txt', text: 'a'.repeat(100_000) });
  const refusal = ({ status, text }: Answer) => `${status} ${(JSON.parse(text) as { readonly code: string }).code}`;

  it('has a file, or is refused; above 2 MiB it is refused unread', async () => {
    const client = new Client(service, await service.key('ada'));
    expect(created(await client.post(large(1))).file?.size).to.equal(100_000);
    const long = 'a'.repeat(70_000);
    for (const body of [free(2, null, { description: long }), { ...draft(2), description: long }, [long]])
      expect(refusal(await client.post(body))).to.equal('413 payload-too-large');
    expect(refusal(await client.post(free(2, { name: 'a.txt', text: 'a'.repeat(2 * MEBIBYTE) })))).to.equal(
      '413 payload-too-large',
    );
    client.close();
  });

  it('tells its length', async () => {
    const client = new Client(service, await service.key('bob'));
    const headers = { 'content-type': 'application/json', 'transfer-encoding': 'chunked' };
    const body = JSON.stringify(large(3));
    const answer = await client.send('/api/automations', { method: 'POST', headers, body });
    expect(refusal(answer)).to.equal('413 payload-too-large');
    client.close();
  });

  it('is one of 20 a minute of a developer; smaller ones and other developers go on', async () => {
    const [eve, dan] = [new Client(service, await service.key('eve')), new Client(service, await service.key('dan'))];
    for (let n = 0; n < 20; n += 1) expect((await eve.post(large(100 + n))).status).to.equal(201);
    const refused = await eve.post(large(120));
    expect([refused.status, slugOf(refused)]).to.deep.equal([429, 'quota-exceeded']);
    expect(Number(refused.headers['retry-after'])).to.be.within(1, 60);
    expect((await eve.post(draft(121))).status).to.equal(201);
    expect((await dan.post(large(122))).status).to.equal(201);
    for (const client of [eve, dan]) client.close();
  });

  it('needs the scope before it is read', async () => {
    const client = new Client(service, await service.key('ada', ['automations:read']));
    expect((await client.post(large(4))).status).to.equal(403);
    client.close();
  });
});
