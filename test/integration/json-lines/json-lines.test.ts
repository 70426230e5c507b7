import { expect } from 'chai';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DomainError, Marketplace, newCategory, newPage, parseDeveloperId, type Caller } from 'automation-marketplace';
import { automationRepositoryContract, categoryRepositoryContract } from 'automation-marketplace/contracts';
import { createHttpApp } from 'automation-marketplace/http';
import { InMemoryApiKeyVerifier } from 'automation-marketplace/in-memory';
import { JsonLinesAutomationRepository } from './automation-repository.js';
import { JsonLinesCategoryRepository } from './category-repository.js';

const folder = mkdtempSync(join(tmpdir(), 'json-lines-'));
let files = 0;
const newFile = () => join(folder, `${(files += 1)}.jsonl`);

const ADA: Caller = { developerId: parseDeveloperId('ada'), scopes: ['automations:read', 'automations:write'] };
const DRAFT = { title: 'Sort my inbox', description: 'Labels what matters.', price: 9.99, categoryId: 'email' };
const DAY = 24 * 60 * 60 * 1000;

/** A marketplace over these files, whatever is in them. */
async function open(automations: string, categories = newFile()): Promise<Marketplace> {
  const shelves = new JsonLinesCategoryRepository(categories);
  await shelves.save([newCategory({ id: 'email', name: 'Email' })]);
  return new Marketplace(new JsonLinesAutomationRepository(automations), shelves);
}

async function titlesIn(file: string): Promise<readonly string[]> {
  const { items, total } = await new JsonLinesAutomationRepository(file).list({ page: newPage({ limit: 100 }) });
  expect(items).to.have.length(total);
  return items.map(({ title }) => title);
}

describe('An adapter of somebody else, over files of JSON lines', () => {
  after(() => rmSync(folder, { recursive: true }));

  automationRepositoryContract(() => new JsonLinesAutomationRepository(newFile()));
  categoryRepositoryContract(() => new JsonLinesCategoryRepository(newFile()));

  it('has again what was acknowledged before: automations, keys, ' +
    'what was withdrawn and which keys were freed', async () => {
    const file = newFile();
    const market = await open(file);
    const key = (value: string) => ({ value, lifetime: DAY });
    const { automation } = await market.createAutomationOnce(ADA, DRAFT, key('kept'));
    const gone = await market.createAutomationOnce(ADA, { ...DRAFT, title: 'Gone' }, key('kept of what is gone'));
    await market.withdrawAutomation(ADA, gone.automation.id, 'A mistake.');
    await new JsonLinesAutomationRepository(file).freeIdempotencyKeys(new Date(0));

    const again = await open(file);
    expect(await again.readAutomation(ADA, automation.id)).to.deep.equal(automation);
    expect(await again.createAutomationOnce(ADA, DRAFT, key('kept'))).to.deep.equal({ automation, replayed: true });
    expect(
      (await again.createAutomationOnce(ADA, { ...DRAFT, title: 'Gone' }, key('kept of what is gone'))).replayed,
    ).to.equal(true);
    expect(await titlesIn(file)).to.deep.equal(['Sort my inbox']);
    expect(await new JsonLinesAutomationRepository(file).freeIdempotencyKeys(new Date(Date.now() + 2 * DAY))).to.equal(
      2,
    );
    expect(await new JsonLinesAutomationRepository(file).freeIdempotencyKeys(new Date(Date.now() + 2 * DAY))).to.equal(
      0,
    );
  });

  it('has what a process acknowledged that was killed at once', async () => {
    const file = newFile();
    const repository = JSON.stringify(new URL('automation-repository.js', import.meta.url).href);
    const program = `
      import { newAutomation, newCategory, parseCurrency, parseDeveloperId } from 'automation-marketplace';
      import { JsonLinesAutomationRepository } from ${repository};
      const market = { currency: parseCurrency('USD'), category: newCategory({ id: 'email', name: 'Email' }) };
      const id = '01940000-0000-7000-8000-000000000001';
      const offering = { id, developerId: parseDeveloperId('ada'), createdAt: new Date() };
      const automation = newAutomation(${JSON.stringify(DRAFT)}, market, offering);
      await new JsonLinesAutomationRepository(${JSON.stringify(file)}).add([{ automation }]);
      process.kill(process.pid, 'SIGKILL');`;
    const { signal, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
      encoding: 'utf8',
    });
    expect(signal, stderr).to.equal('SIGKILL');
    expect(await titlesIn(file)).to.deep.equal(['Sort my inbox']);
  });

  it('drops a last line that was torn, at whatever byte, and goes on behind the one before', async () => {
    const file = newFile();
    const market = await open(file);
    await market.createAutomation(ADA, DRAFT);
    const whole = readFileSync(file);
    for (const length of [1, 20, Math.floor(whole.length / 2), whole.length - 1]) {
      appendFileSync(file, whole.subarray(0, length));
      expect(await titlesIn(file)).to.deep.equal(['Sort my inbox']);
      expect(readFileSync(file)).to.deep.equal(whole);
    }
    appendFileSync(file, whole.subarray(0, 20));
    await (await open(file)).createAutomation(ADA, { ...DRAFT, title: 'Behind it' });
    expect(await titlesIn(file)).to.deep.equal(['Behind it', 'Sort my inbox']);
  });

  it('is unavailable while its file is out of reach, and has done nothing then', async () => {
    const home = join(folder, 'home');
    mkdirSync(home);
    const market = await open(join(home, 'automations.jsonl'));
    rmSync(home, { recursive: true });
    const error = await market.createAutomation(ADA, DRAFT).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).to.be.instanceOf(DomainError).with.property('kind', 'unavailable');
    expect((await market.listAutomations(ADA)).total).to.equal(0);
  });

  it('is served over HTTP as any other', async () => {
    const verifier = new InMemoryApiKeyVerifier([['secret', ADA]]);
    const answer = createHttpApp(await open(newFile()), { verifier }).callback();
    const server = createServer((request, response) => void answer(request, response)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/automations`;
    const headers = { authorization: 'Bearer secret', 'content-type': 'application/json' };
    const body = JSON.stringify({
      title: 'Sort my inbox',
      description: 'Labels what matters.',
      price: 9.99,
      category_id: 'email',
    });
    const created = await fetch(url, { method: 'POST', headers, body });
    const { id } = (await created.json()) as { id: string };
    expect([created.status, created.headers.get('location')]).to.deep.equal([201, `/api/automations/${id}`]);
    const listed = await fetch(`${url}?category=email`, { headers });
    expect(await listed.json()).to.deep.equal({
      data: [{ id, title: 'Sort my inbox', price: 9.99 }],
      total: 1,
      page: 1,
    });
    server.close();
  });
});
