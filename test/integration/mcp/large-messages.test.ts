import { expect } from 'chai';
import { setTimeout } from 'node:timers/promises';
import { MAX_CREATE_BYTES } from '../../../adapters/edge/middleware/large-bodies.js';
import { converse, RawClient, requestText } from '../../support/raw.js';
import { callMessage, openMarket, post, type Market } from './agent.js';

const DRAFT = { title: 'Notify', description: 'Tells.', price: 0, category_id: 'email' };
const FILE = { name: 'a.txt', text: 'a'.repeat(100_000) };
const withFile = (key: string, file: unknown = FILE) =>
  callMessage('create_automation', { ...DRAFT, file, idempotency_key: key });

/** Returns a message filled up to this many bytes. */
function padded(message: object, bytes: number): string {
  const text = JSON.stringify(message);
  return text + ' '.repeat(bytes - Buffer.byteLength(text));
}

const codeOf = async (response: Response) => ((await response.json()) as { readonly code?: string }).code;

describe('Messages of agents above 64 KiB', () => {
  let market: Market;
  let key: string;
  beforeEach(async () => {
    market = await openMarket();
    key = await market.key();
  });
  afterEach(() => market.close());

  const announced = (bytes: number, credentials: string) =>
    requestText('POST', '/mcp', {
      Authorization: `Bearer ${credentials}`,
      'Content-Type': 'application/json',
      'Content-Length': String(bytes),
    });
  const port = () => Number(new URL(market.url).port);
  /** Returns the status of a request of which nothing but the head is sent. */
  const statusOfHead = async (bytes: number, credentials: string) =>
    (await converse(port(), announced(bytes, credentials))).answers.map(({ status }) => status);

  it('publish an automation with its file', async () => {
    const response = await post(market.url, key, withFile('one'));
    expect(await response.json()).to.have.nested.property('result.structuredContent.file.size', 100_000);
  });

  it('may have 2 MiB, and not a byte more', async () => {
    expect((await post(market.url, key, padded(withFile('one'), MAX_CREATE_BYTES))).status).to.equal(200);
    const response = await post(market.url, key, padded(withFile('two'), MAX_CREATE_BYTES + 1));
    expect([response.status, await codeOf(response)]).to.deep.equal([413, 'payload-too-large']);
  });

  it('of 2 MiB and a byte are refused before one of them has come', async () => {
    expect(await statusOfHead(MAX_CREATE_BYTES + 1, key)).to.deep.equal([413]);
  });

  const WITHOUT_FILE: Readonly<Record<string, object>> = {
    'a create without a file': withFile('one', null),
    'a create whose file is a text': callMessage('create_automation', { ...DRAFT, file: 'x' }),
    'a call of another tool with a file': callMessage('get_automation', { file: FILE }),
    'a request with a file that is no call': {
      ...withFile('one'),
      method: 'tools/list',
    },
    'several creates with files': [withFile('one'), withFile('two')],
  };
  for (const [what, message] of Object.entries(WITHOUT_FILE))
    it(`are refused with 413: ${what}`, async () => {
      expect((await post(market.url, key, padded(message, 300_000))).status).to.equal(413);
    });

  const BROKEN: Readonly<Record<string, string>> = {
    'a text that is no JSON': '{'.repeat(MAX_CREATE_BYTES),
    'a million levels': '['.repeat(MAX_CREATE_BYTES / 2) + ']'.repeat(MAX_CREATE_BYTES / 2),
    'a million values': `[${'1,'.repeat(MAX_CREATE_BYTES / 2 - 2)}1]`,
    'a create that is cut off': padded(withFile('one'), MAX_CREATE_BYTES).replaceAll(/[ }]/g, ' '),
  };
  for (const [what, message] of Object.entries(BROKEN))
    it(`of 2 MiB are refused with 413, and the next one is answered: ${what}`, async () => {
      expect((await post(market.url, key, message)).status).to.equal(413);
      expect((await post(market.url, key, callMessage('list_categories'))).status).to.equal(200);
      expect(market.errors).to.deep.equal([]);
    });

  it('with a file have at most 32 levels and 250 values, as every message', async () => {
    const deep = '['.repeat(500_000) + ']'.repeat(500_000);
    const many = `[${'1,'.repeat(200_000)}1]`;
    const message = JSON.stringify(withFile('one', { ...FILE, more: 'MORE' }));
    for (const more of [deep, many])
      expect((await post(market.url, key, message.replace('"MORE"', more))).status).to.equal(400);
    expect(market.errors).to.deep.equal([]);
  });

  for (const scope of ['automations:read', 'library:read'] as const)
    it(`of a key with ${scope} alone are refused before a byte has come, and told which scope they need`, async () => {
      const reader = await market.key('bob', [scope]);
      for (const bytes of [65_537, MAX_CREATE_BYTES + 1])
        expect(await statusOfHead(bytes, reader)).to.deep.equal([403]);
      const response = await post(market.url, reader, withFile('one'));
      expect([response.status, await codeOf(response)]).to.deep.equal([403, 'insufficient-scope']);
      expect(response.headers.get('WWW-Authenticate')).to.include('automations:write');
      const chunked = { Authorization: `Bearer ${reader}`, 'Content-Type': 'application/json' };
      const body = new Blob([padded(callMessage('list_categories'), 65_537)]).stream();
      const init = { method: 'POST', headers: chunked, body, duplex: 'half' } as RequestInit;
      expect((await fetch(market.url, init)).status).to.equal(413);
    });

  it('that break off leave nothing, and give back their room', async () => {
    const body = Buffer.from(padded(withFile('one'), MAX_CREATE_BYTES));
    for (let n = 0; n < 5; n += 1) {
      const client = await RawClient.open(port());
      client.say(announced(body.length, key));
      client.say(body.subarray(0, 1_000_000));
      await setTimeout(20);
      client.abort();
    }
    await eventually(async () => (await post(market.url, key, withFile('two'))).status === 200);
    const { items, total } = await market.core.catalogue.find({});
    expect([total, items[0]?.file?.size]).to.deep.equal([1, 100_000]);
  });

  it('wait for room: four of 2 MiB of one developer may be under way, and those of others go on', async () => {
    const clients = await Promise.all(Array.from({ length: 4 }, () => RawClient.open(port())));
    for (const client of clients) client.say(announced(MAX_CREATE_BYTES, key));
    await eventually(async () => (await statusOfHead(65_537, key))[0] === 429);
    expect((await post(market.url, await market.key('bob'), withFile('one'))).status).to.equal(200);
    for (const client of clients) client.abort();
  });
});

describe('Limits of messages above 64 KiB', () => {
  it('are those of the API: 20 a minute of a developer, counted before a byte has come', async () => {
    const market = await openMarket();
    const key = await market.key();
    const statuses: number[] = [];
    for (let n = 0; n <= 20; n += 1) statuses.push((await post(market.url, key, withFile(`k${n}`))).status);
    expect(statuses).to.deep.equal([...Array.from({ length: 20 }, () => 200), 429]);
    expect((await post(market.url, key, callMessage('list_categories'))).status).to.equal(200);
    await market.close();
  });

  it('count each as one read and one create, also one that is refused', async () => {
    const market = await openMarket({ rateLimits: { reads: 4, creates: 2 } });
    const key = await market.key();
    const statuses: number[] = [];
    for (const message of [withFile('one'), padded(callMessage('list_categories'), 70_000), withFile('two')])
      statuses.push((await post(market.url, key, message)).status);
    expect(statuses).to.deep.equal([200, 413, 429]);
    await market.close();
  });
});

/** Each look counts as one of 20 a minute. */
async function eventually(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await setTimeout(200);
}
