import { expect } from 'chai';
import { TableFileInspector } from '../../../adapters/file-inspection/index.js';
import { createPanel } from '../../../adapters/panel/index.js';
import { OPERATOR, parseDeveloperId, SCOPES, type Core } from '../../../application/index.js';
import { byUserCookie, hostCore, serve } from '../../support/host-pages.js';
import { Visitor } from '../../support/panel-visitor.js';
import type { Listening } from '../../support/socket.js';
import { SECRETS } from '../file-inspection/secrets.js';
import { EXPORTED } from '../file-inspection/workflow.js';

const ADA = { developerId: parseDeveloperId('ada'), scopes: SCOPES };
const NEW = '/panel/automations/new';
const TYPED = {
  title: 'Notify',
  description: 'Tells\r\nall.',
  price: '0',
  categoryId: 'email',
  url: '',
  license: 'MIT',
};
const workflow = (changes: object = {}) => JSON.stringify({ ...EXPORTED, ...changes });
const MEBIBYTE = 1_048_576;

type Chosen = readonly [name: string, content: string | Uint8Array];

let core: Core;
let server: Listening;
let ada: Visitor;

/** Returns the form as a browser sends it. */
function formOf(fields: Readonly<Record<string, string>>, files: readonly Chosen[]): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries({ ...fields, token: ada.token })) form.append(name, value);
  for (const [name, content] of files) form.append('file', new File([content], name));
  return form;
}

async function post(path: string, body: FormData | Buffer, type?: string) {
  const headers = { Cookie: 'user=ada', Origin: server.url, ...(type !== undefined && { 'Content-Type': type }) };
  const answer = await fetch(server.url + path, { method: 'POST', body, headers, redirect: 'manual' });
  return { status: answer.status, location: answer.headers.get('location') ?? '', body: await answer.text() };
}

const send = (path: string, fields: object, ...files: readonly Chosen[]) =>
  post(path, formOf({ ...TYPED, ...fields }, files));

const onSale = async () => (await core.records.find(OPERATOR, { status: 'on-sale', limit: 10 })).items;

describe('A file in the forms of the panel', () => {
  beforeEach(async () => {
    core = await hostCore({ fileInspector: new TableFileInspector() });
    server = await serve(createPanel(core, { authenticate: byUserCookie, onError: (error) => console.error(error) }));
    ada = new Visitor(server.url);
    ada.cookies.set('user', 'ada');
    await ada.open(NEW);
  });
  afterEach(() => server.close());

  async function publish(): Promise<string> {
    const file = { name: 'notify.json', bytes: Buffer.from(workflow()) };
    const draft = { ...TYPED, price: 0, description: 'Tells\nall.', url: null, file };
    return (await core.marketplace.createAutomation(ADA, draft)).id;
  }

  it('is published with what was typed, and the page says what was removed from it', async () => {
    const { status, location } = await send(NEW, {}, ['notify.json', workflow()]);
    expect(status).to.equal(303);
    const [one] = await onSale();
    expect(one?.automation).to.deep.include({ title: 'Notify', description: 'Tells\nall.', license: 'MIT' });
    expect(one?.automation.file).to.include({ name: 'notify.json', platform: 'n8n' });
    const { body } = await ada.open(location);
    expect(body).to.include('names and ids of credentials (1)').and.include('ids of webhooks (1)');
    expect(body).to.include('notify.json').and.include('Google Sheets').and.include('1AbCdEfGhIjKlMnOpQrStUvWxYz');
    expect((await ada.open(location.replace(/removed=.*/, 'removed=<b>.1+other.0+x.3+credential.9'))).body)
      .to.include('names and ids of credentials (9)')
      .and.not.include('<b>.1');
  });

  it('comes byte for byte, and by its name', async () => {
    const bytes = Uint8Array.from({ length: MEBIBYTE }, (_, n) => (n * 7) % 256);
    const name = `it's "été" 字.zip`;
    expect((await send(NEW, {}, [name, bytes])).status).to.equal(303);
    const [one] = await onSale();
    const { file, id } = one?.automation ?? expect.fail();
    expect(file?.name).to.equal(name.replaceAll('"', '%22'));
    const stored = await core.catalogue.readFile(one?.automation ?? expect.fail(id));
    expect(Buffer.from(stored ?? []).equals(bytes)).to.equal(true);
  });

  it('that was not chosen is none', async () => {
    expect((await send(NEW, {}, ['', ''])).status).to.equal(303);
    expect((await onSale())[0]?.automation.file).to.equal(null);
    await ada.open(NEW);
    expect((await ada.submit(NEW, { ...TYPED, title: 'Without a file' })).status).to.equal(303);
  });

  const REFUSED: Readonly<Record<string, readonly [fields: object, message: RegExp, ...files: readonly Chosen[]]>> = {
    'on one with a price': [{ price: '5' }, /so it must cost nothing/, ['a.json', workflow()]],
    'with what looks like a secret': [{}, /File [^<]*a key of AWS/, ['a.txt', `x ${SECRETS[1]?.secret ?? ''} y`]],
    'of one byte too many': [{}, /must have 1 to 1,048,576 bytes/, ['a.zip', new Uint8Array(MEBIBYTE + 1)]],
    'without a byte': [{}, /must have 1 to 1,048,576 bytes/, ['a.zip', '']],
    'of another kind': [{}, /must end with one of/, ['a.exe', 'x']],
    'of no JSON': [{}, /JSON/, ['a.json', '{']],
    'next to another one': [{}, /Choose one file/, ['a.json', workflow()], ['b.json', workflow()]],
    'next to a field that is wrong': [{ title: '' }, /Title is required/, ['a.json', workflow()]],
  };
  for (const [kind, [fields, message, ...files]] of Object.entries(REFUSED))
    it(`is refused ${kind}: all that was typed stays, and nothing is stored`, async () => {
      const { status, body } = await send(NEW, { url: 'https://ada.example/x', ...fields }, ...files);
      expect(status).to.equal(422);
      expect(body).to.match(message).and.include('Choose the file again');
      expect(body).to.include('Tells\nall.</textarea>').and.include('https://ada.example/x').and.include('value="MIT"');
      expect(await onSale()).to.deep.equal([]);
    });

  it('is kept, replaced and removed by a revision', async () => {
    const id = await publish();
    const path = `/panel/automations/${id}/revise`;
    const revise = async (fields: object, ...files: readonly Chosen[]) => {
      const { body } = await ada.open(path);
      const basedOn = /name="basedOn" value="([^"]*)"/.exec(body)?.[1] ?? '';
      const { status, location } = await send(path, { basedOn, ...fields }, ...files);
      const { file } = (await core.catalogue.read(id))?.automation ?? {};
      return [status, /notice=(\w+)/.exec(location)?.[1], file?.name];
    };
    expect((await ada.open(path)).body)
      .to.include('notify.json')
      .and.include('Remove the file');
    expect(await revise({ title: 'Other' })).to.deep.equal([303, 'revised', 'notify.json']);
    expect(await revise({ title: 'Other' })).to.deep.equal([303, 'unchanged', 'notify.json']);
    const other: Chosen = ['other.json', workflow({ name: 'Other' })];
    expect(await revise({ title: 'Other' }, other)).to.deep.equal([303, 'revised', 'other.json']);
    expect(await revise({ title: 'Other', price: '3' })).to.deep.equal([422, undefined, 'other.json']);
    expect(await revise({ price: '3', removeFile: '1' })).to.deep.equal([303, 'revised', undefined]);
    expect((await ada.open(path)).body).not.to.include('Remove the file');
  });

  it('in a form about an older version is a conflict, and is not stored', async () => {
    const id = await publish();
    const since = (await core.catalogue.read(id))?.automation.updatedAt.toISOString() ?? '';
    await core.marketplace.reviseAutomation(OPERATOR, id, { file: null });
    const path = `/panel/automations/${id}/revise`;
    const { status } = await send(path, { basedOn: since }, ['other.json', workflow()]);
    expect(status).to.equal(409);
    expect((await core.catalogue.read(id))?.automation.file).to.equal(null);
  });

  it('of a form that breaks off, has no end or another type leaves nothing', async () => {
    const form = new Response(formOf(TYPED, [['a.json', workflow()]]));
    const type = form.headers.get('content-type') ?? '';
    const bytes = Buffer.from(await form.arrayBuffer());
    const half = bytes.subarray(0, bytes.length / 2);
    for (const [body, as, status] of [
      [half, type, 400],
      [bytes, 'multipart/form-data', 400],
      [bytes, 'multipart/form-data; boundary=other', 400],
      [bytes, 'multipart/mixed; boundary=x', 415],
      [bytes, 'application/json', 415],
      [Buffer.alloc(3 * MEBIBYTE), type, 413],
    ] as const)
      expect((await post(NEW, body, as)).status, `${as} ${body.length}`).to.equal(status);
    expect(await onSale()).to.deep.equal([]);
  });

  it('is taken by those forms alone, and of those who are signed in alone', async () => {
    expect((await post('/panel/keys', formOf({ name: 'x' }, []))).status).to.equal(415);
    const many = formOf(TYPED, []);
    for (let n = 0; n < 200; n += 1) many.append(`field-${n}`, 'x');
    expect((await post(NEW, many)).status).to.equal(413);
    const body = formOf(TYPED, [['a.zip', new Uint8Array(MEBIBYTE)]]);
    const stranger = await fetch(server.url + NEW, { method: 'POST', body, headers: { Origin: server.url } });
    expect(stranger.status).to.be.oneOf([401, 413]);
  });
});
