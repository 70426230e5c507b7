import { expect } from 'chai';
import type { Client } from '@modelcontextprotocol/client';
import { createHash } from 'node:crypto';
import { OPERATOR } from '../../../application/index.js';
import { EXPORTED } from '../file-inspection/workflow.js';
import { call, callMessage, connect, MAX_TOKENS, openMarket, post, type Answer, type Market } from './agent.js';

const DRAFT = { title: 'Notify', description: 'Tells.', price: 0, category_id: 'email' };
/** Characters of one to four bytes, and those that JSON escapes: each stands before and behind each cut. */
const MIXED = Array.from({ length: 9_000 }, (_, n) => ['a', 'é', '漢', '🤖', '"', '\\', '\n'][(n * n + n) % 7]).join(
  '',
);
const MEBIBYTE = 1_048_576;

const sha256 = (content: string | Uint8Array) => createHash('sha256').update(content).digest('hex');

describe('The file of an automation for agents', () => {
  let market: Market;
  let agent: Client;
  before(async () => {
    market = await openMarket({ filesPath: '/files', publicUrl: 'https://market.example' });
    agent = await connect(market.url, await market.key());
  });
  after(async () => {
    await agent.close();
    await market.close();
  });

  async function offer(file: object, key: string): Promise<Answer['json']> {
    const { isError, json } = await call(agent, 'create_automation', { ...DRAFT, file, idempotency_key: key });
    expect(isError, JSON.stringify(json).slice(0, 500)).to.equal(false);
    return json;
  }

  /** Reads a file in as many parts as it has. */
  async function partsOf(id: unknown): Promise<readonly Answer['json'][]> {
    const parts: Answer['json'][] = [];
    for (let from: unknown = 0; from !== undefined; from = parts.at(-1)?.['continues_at']) {
      const { json, bytes } = await call(agent, 'get_automation_file', { id, from });
      expect(bytes).to.be.below(MAX_TOKENS);
      parts.push(json);
    }
    return parts;
  }

  it('is published as text: the answer says what was removed, and a read where it is', async () => {
    const { id, file } = await offer({ name: 'notify.json', text: JSON.stringify(EXPORTED) }, 'one');
    const { removed, ...details } = file as { readonly removed: readonly object[] };
    expect(removed).to.deep.include({ kind: 'pinned-data', count: 1 });
    const url = `https://market.example/files/${String(id)}`;
    expect(details).to.include({ name: 'notify.json', platform: 'n8n', url });
    const { json } = await call(agent, 'get_automation', { id });
    expect(json['file']).to.deep.equal(details);
    const found = await call(agent, 'search_automations', { platform: 'n8n' });
    expect(found.json).to.have.nested.property('data[0].id', id);
  });

  it('comes in parts, cut between characters, with the size and the SHA-256 of the whole', async () => {
    const { id } = await offer({ name: 'mixed.txt', text: MIXED }, 'two');
    const parts = await partsOf(id);
    expect(parts.length).to.be.above(3);
    expect(parts.map(({ text }) => text).join('')).to.equal(MIXED);
    for (const part of parts)
      expect(part).to.include({ name: 'mixed.txt', size: Buffer.byteLength(MIXED), sha256: sha256(MIXED) });
    expect(parts.map(({ from }) => from)).to.deep.equal([0, ...parts.map((part) => part['continues_at'])].slice(0, -1));
  });

  for (const [what, text] of Object.entries({ 'one byte': 'a', 'a byte order mark': '\uFEFFa', robots: '🤖' }))
    it(`comes as it is: ${what}`, async () => {
      const { id } = await offer({ name: 'short.txt', text }, what.replaceAll(' ', '-'));
      const parts = await partsOf(id);
      expect(parts.map((part) => [part['from'], part['text']])).to.deep.equal([[0, text]]);
    });

  it('of 1 MiB is published in one message, and read', async () => {
    const text = 'ab"\n'.repeat(MEBIBYTE / 4);
    const { id } = await offer({ name: 'large.txt', text }, 'three');
    const { json, bytes } = await call(agent, 'get_automation_file', { id, from: MEBIBYTE - 5 });
    expect(json)
      .to.include({ size: MEBIBYTE, text: text.slice(-5) })
      .and.not.to.have.property('continues_at');
    expect(bytes).to.be.below(MAX_TOKENS);
  });

  it('has other SHA-256 sums in parts that were read before and after a revision', async () => {
    const { id } = await offer({ name: 'mixed.txt', text: MIXED }, 'four');
    const first = await call(agent, 'get_automation_file', { id });
    const bytes = Buffer.from('Another, shorter.');
    await market.core.marketplace.reviseAutomation(OPERATOR, String(id), { file: { name: 'other.txt', bytes } });
    const { isError, json } = await call(agent, 'get_automation_file', { id, from: first.json['continues_at'] });
    expect({ isError, code: json['code'] }).to.deep.equal({ isError: true, code: 'invalid-query' });
    const again = await call(agent, 'get_automation_file', { id });
    expect([first.json['sha256'], again.json['sha256']]).to.deep.equal([sha256(MIXED), sha256(bytes)]);
  });

  it('is never mixed of two versions where it is replaced while it is read', async () => {
    const { id } = await offer({ name: 'mixed.txt', text: MIXED }, 'five');
    const { marketplace } = market.core;
    const { readAutomation } = marketplace;
    marketplace.readAutomation = async (...request) => {
      const found = await readAutomation.apply(marketplace, request);
      marketplace.readAutomation = readAutomation;
      await marketplace.reviseAutomation(OPERATOR, found.id, {
        file: { name: 'mixed.txt', bytes: Buffer.from('New.') },
      });
      return found;
    };
    const raced = await call(agent, 'get_automation_file', { id });
    expect(raced).to.have.nested.property('json.code', 'unavailable');
    expect((await call(agent, 'get_automation_file', { id })).json).to.include({
      text: 'New.',
      sha256: sha256('New.'),
    });
  });

  it('is downloaded where it is an archive, which the answer says', async () => {
    const { id } = await offer({ name: 'bundle.zip', base64: 'UEsDBA==' }, 'six');
    const { isError, json } = await call(agent, 'get_automation_file', { id });
    expect(isError).to.equal(false);
    const url = `https://market.example/files/${String(id)}`;
    expect(json).to.include({ name: 'bundle.zip', media_type: 'application/zip', size: 4, text: null, url });
    const { tools } = await agent.listTools();
    const said = tools.find(({ name }) => name === 'get_automation_file')?.outputSchema?.['properties'];
    expect(said).to.have.nested.property('text.description').that.includes('download it at `url`');
  });

  for (const [from, where] of [
    [1, 'inside of a character'],
    [4, 'inside of a character'],
    [5, 'the end'],
  ] as const)
    it(`has no part at byte ${from} of "é漢": ${where}`, async () => {
      const { id } = await offer({ name: 'a.txt', text: 'é漢' }, 'seven');
      expect((await call(agent, 'get_automation_file', { id, from: 2 })).json).to.include({ text: '漢' });
      const { isError, json } = await call(agent, 'get_automation_file', { id, from });
      expect({ isError, code: json['code'] }).to.deep.equal({ isError: true, code: 'invalid-query' });
    });

  it('is not there for an automation without one, or one that was withdrawn', async () => {
    const { json } = await call(agent, 'create_automation', { ...DRAFT, idempotency_key: 'eight' });
    const withFile = await offer({ name: 'a.txt', text: 'a' }, 'nine');
    await market.core.marketplace.withdrawAutomation(OPERATOR, String(withFile['id']));
    for (const { id } of [json, withFile])
      expect(await call(agent, 'get_automation_file', { id })).to.have.nested.property('json.code', 'not-found');
  });

  it('is not there where an operator has refused it for everyone', async () => {
    const text = 'Deletes everything.';
    const [one, same] = [
      await offer({ name: 'a.txt', text }, 'trap-one'),
      await offer({ name: 'b.txt', text }, 'trap-two'),
    ];
    expect((await call(agent, 'get_automation_file', { id: same['id'] })).json).to.include({ text });
    const refusal = { reason: 'A trap.', refusedFile: sha256(text) };
    await market.core.reports?.report({ isVisitor: true }, String(one['id']), { kind: 'dangerous' });
    await market.core.reports?.uphold(OPERATOR, String(one['id']), refusal);
    const { isError, json } = await call(agent, 'get_automation_file', { id: same['id'] });
    expect({ isError, code: json['code'] }).to.deep.equal({ isError: true, code: 'not-found' });
    expect(json['detail']).to.include('refused this file');
  });

  it('is read by a key with automations:read, and not by one of a library', async () => {
    const { id } = await offer({ name: 'a.txt', text: 'a' }, 'ten');
    const ask = async (scope: 'automations:read' | 'automations:write' | 'library:read') =>
      (await post(market.url, await market.key('bob', [scope]), callMessage('get_automation_file', { id }))).status;
    expect([await ask('automations:read'), await ask('automations:write'), await ask('library:read')]).to.deep.equal([
      200, 403, 403,
    ]);
  });
});
