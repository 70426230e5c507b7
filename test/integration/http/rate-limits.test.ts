import { expect } from 'chai';
import { setTimeout } from 'node:timers/promises';
import { Quota } from '../../../adapters/edge/middleware/quotas.js';
import { parseDeveloperId, SCOPES } from '../../../application/index.js';
import { startService, type TestService } from '../../support/service.js';
import { ask, offer } from './hostile/ask.js';
import type { Answer } from '../../../adapters/conformance/answer.js';
import { slugOf } from '../../../adapters/conformance/answer.js';
import { DRAFT } from './hostile/row.js';

const WRONG = `amk_${'0'.repeat(36)}`;

function times<Value>(count: number, work: (n: number) => Promise<Value>): Promise<Value[]> {
  return Promise.all(Array.from({ length: count }, (_, n) => work(n)));
}

function statuses(answers: readonly Answer[]): Record<number, number> {
  const found: Record<number, number> = {};
  for (const { status } of answers) found[status] = (found[status] ?? 0) + 1;
  return found;
}

function header({ headers }: Answer, name: string): string {
  return headers.get(name) ?? '';
}

describe('A quota', () => {
  it('takes nothing back into a window in which it was not taken', async () => {
    const quota = new Quota('reads', 3);
    const taken = await quota.take('ada');
    expect(await quota.giveBack('ada', { ...taken, end: Date.now() })).to.include({
      exceeded: false,
      remaining: 2,
      resetSeconds: 1,
    });
    expect((await quota.take('ada')).remaining).to.equal(1);
    expect((await quota.giveBack('ada', taken)).remaining).to.equal(2);
    expect((await quota.take('ada')).remaining).to.equal(1);
  });

  it('asks nobody to come again before its window is over', async () => {
    const quota = new Quota('reads', 1);
    await quota.take('ada');
    await setTimeout(2);
    const { exceeded, resetSeconds, end } = await quota.take('ada');
    expect(exceeded).to.equal(true);
    expect(Date.now() + resetSeconds * 1000).to.be.at.least(end);
  });
});

describe('A quota of many', () => {
  it('forgets who was counted longest ago beyond 50,000', async () => {
    const quota = new Quota('reads', 3);
    for (let n = 0; n <= 50_000; n += 1) await quota.take(`subject ${n}`);
    expect([(await quota.take('subject 0')).remaining, (await quota.take('subject 50000')).remaining]).to.deep.equal([
      2, 1,
    ]);
  });
});

describe('Rate limits', () => {
  let service: TestService;
  const open = async (
    limits: { reads?: number; creates?: number; failedAuthentications?: number },
    trustedProxyHops = 0,
  ) => {
    const { reads = 'off', creates = 'off', failedAuthentications = 'off' } = limits;
    service = await startService({
      settings: {
        RATE_LIMIT_READS: String(reads),
        RATE_LIMIT_CREATES: String(creates),
        RATE_LIMIT_FAILED_AUTH: String(failedAuthentications),
        TRUSTED_PROXY_HOPS: String(trustedProxyHops),
      },
    });
    return service.key();
  };
  const read = (key: string, headers = {}, path = '/api/automations') => ask(`${service.url}${path}`, { key, headers });
  const readBy = (method: string, key: string) => ask(`${service.url}/api/automations`, { method, key });
  afterEach(() => service.close());

  it('let reads of a developer pass up to the limit, also at once, and refuse the rest by 429', async () => {
    const key = await open({ reads: 60 });
    const answers = await times(200, () => read(key));
    expect(statuses(answers)).to.deep.equal({ 200: 60, 429: 140 });
    const refused = answers.filter(({ status }) => status === 429);
    for (const answer of refused) {
      expect(slugOf(answer)).to.equal('quota-exceeded');
      expect(header(answer, 'retry-after')).to.match(/^([1-9]|[1-5][0-9]|60)$/);
      expect(header(answer, 'ratelimit')).to.match(/^"reads";r=0;t=[0-9]+$/);
    }
    const left = answers
      .filter(({ status }) => status === 200)
      .map((answer) => Number(header(answer, 'x-ratelimit-remaining')));
    expect(left.sort((one, other) => one - other)).to.deep.equal(Array.from({ length: 60 }, (_, n) => n));
  });

  it('are of a developer over all keys: five keys read and create no more than one', async () => {
    const keys = [await open({ reads: 3, creates: 2 })];
    for (let n = 1; n < 5; n += 1) keys.push(await service.key());
    const reads = await Promise.all(keys.map((key) => read(key)));
    expect(statuses(reads)).to.deep.equal({ 200: 3, 429: 2 });
    const creates = await Promise.all(keys.map((key) => offer(service.url, key, DRAFT)));
    expect(statuses(creates)).to.deep.equal({ 201: 2, 429: 3 });
    expect((await read(await service.key('bob'))).status).to.equal(200);
  });

  it('are of a developer, whatever they show, where a verifier names no credential', async () => {
    const tokens = {
      verify: async (token: string) => ({
        developerId: parseDeveloperId(token.replace(/^.*[.](.*)[.].*$/, '$1')),
        scopes: SCOPES,
      }),
    };
    service = await startService({ settings: { RATE_LIMIT_READS: '1' }, tokens });
    const answered = [await read('eyJ.ada.first'), await read('eyJ.bob.first'), await read('eyJ.ada.second')];
    expect(answered.map(({ status }) => status)).to.deep.equal([200, 200, 429]);
  });

  it(
    'say on every answer but to a create how many reads are left, ' +
      'in the words of the IETF draft and in those of GitHub',
    async () => {
      const key = await open({ reads: 10 });
      const before = Math.floor(Date.now() / 1000);
      const mistaken = [await read(key), await read(key, {}, '/api/none'), await read(key, {}, '/api/categories?x=1')];
      const others = [await readBy('HEAD', key), await readBy('OPTIONS', key), await readBy('DELETE', key)];
      expect([...mistaken, ...others].map(({ status }) => status)).to.deep.equal([200, 404, 400, 200, 204, 405]);
      for (const [n, answer] of [...mistaken, ...others].entries()) {
        const remaining = 9 - n;
        expect(header(answer, 'ratelimit-policy')).to.equal('"reads";q=10;w=60');
        expect(header(answer, 'ratelimit')).to.match(new RegExp(`^"reads";r=${remaining};t=(60|5[0-9])$`));
        expect(header(answer, 'x-ratelimit-limit')).to.equal('10');
        expect(header(answer, 'x-ratelimit-remaining')).to.equal(String(remaining));
        expect(Number(header(answer, 'x-ratelimit-reset'))).to.be.within(before + 40, before + 80);
      }
    },
  );

  it("are one developer's own, and one kind's", async () => {
    const key = await open({ reads: 2, creates: 1 });
    const other = await service.key('bob');
    expect(statuses(await times(3, () => read(key)))).to.deep.equal({ 200: 2, 429: 1 });
    expect((await read(other)).status).to.equal(200);
    const created = await offer(service.url, key, DRAFT);
    expect([created.status, header(created, 'ratelimit-policy')]).to.deep.equal([201, '"creates";q=1;w=60']);
    const refused = await offer(service.url, key, DRAFT);
    expect([refused.status, header(refused, 'ratelimit')]).to.satisfy(
      ([status, field]: [number, string]) => status === 429 && field.startsWith('"creates";r=0'),
    );
    expect((await offer(service.url, other, DRAFT)).status).to.equal(201);
  });

  it('count a refused create, which may be sent again under the same idempotency key', async () => {
    const key = await open({ creates: 1 });
    expect((await offer(service.url, key, {}, { 'Idempotency-Key': 'k' })).status).to.equal(422);
    expect((await offer(service.url, key, DRAFT, { 'Idempotency-Key': 'k' })).status).to.equal(429);
    expect((await service.repositories.automations.countByCategory()).size).to.equal(0);
  });

  it('give the unit of a 304 back, while there is one left', async () => {
    const key = await open({ reads: 3 });
    const etag = header(await read(key), 'etag');
    for (let n = 0; n < 5; n += 1) {
      const answer = await read(key, { 'If-None-Match': etag });
      expect([answer.status, header(answer, 'x-ratelimit-remaining')]).to.deep.equal([304, '2']);
    }
    await read(key);
    await read(key);
    expect((await read(key, { 'If-None-Match': etag })).status).to.equal(429);
  });

  it('refuse an address its 31st wrong key, but never a valid key from there', async () => {
    const key = await open({ failedAuthentications: 30 });
    const answers = await times(31, (n) => read(n % 2 === 0 ? WRONG : `amk_${n}`));
    expect(statuses(answers)).to.deep.equal({ 401: 30, 429: 1 });
    const refused = await read(WRONG);
    expect([refused.status, header(refused, 'ratelimit-policy')]).to.deep.equal([
      429,
      '"failed-authentications";q=30;w=60',
    ]);
    expect(statuses(await times(50, () => read(key)))).to.deep.equal({ 200: 50 });
    expect((await ask(`${service.url}/api/automations`)).status, 'no credentials are no failure').to.equal(401);
  });

  it(
    'count the addresses that a trusted proxy names, one network of IPv6 as one, ' + 'and believe nobody else',
    async () => {
      const key = await open({ failedAuthentications: 1 }, 1);
      const from = (address: string, more = {}) =>
        read(WRONG, { 'X-Forwarded-For': address, ...more }).then(({ status }) => status);
      expect([await from('192.0.2.1'), await from('192.0.2.1'), await from('192.0.2.2')]).to.deep.equal([
        401, 429, 401,
      ]);
      expect(
        await from('203.0.113.9, 192.0.2.2', { 'X-Real-IP': '198.51.100.1', Forwarded: 'for=198.51.100.1' }),
      ).to.equal(429);
      expect([
        await from('2001:db8:1:2::1'),
        await from('2001:DB8:1:2:ffff::9'),
        await from('2001:db8:1:3::1'),
      ]).to.deep.equal([401, 429, 401]);
      expect([await from('no address'), await from('')], 'counted for the proxy itself').to.deep.equal([401, 429]);
      expect((await read(key, { 'X-Forwarded-For': '192.0.2.1' })).status).to.equal(200);
    },
  );

  it("count the connection's address where X-Forwarded-For has too few entries", async () => {
    await open({ failedAuthentications: 30 }, 2);
    const forged = await times(60, (n) => read(WRONG, { 'X-Forwarded-For': `192.0.2.${n}` }));
    expect(statuses(forged)).to.deep.equal({ 401: 30, 429: 30 });
  });

  it('believe no header about the address where there is no proxy', async () => {
    await open({ failedAuthentications: 1 });
    const forged = await times(4, (n) =>
      read(WRONG, { 'X-Forwarded-For': `192.0.2.${n}`, 'X-Real-IP': `192.0.2.${n}` }),
    );
    expect(statuses(forged)).to.deep.equal({ 401: 1, 429: 3 });
  });

  it('are 600 reads and 60 creates unless told otherwise, and say nothing where they are off', async () => {
    const key = await open({});
    expect((await read(key)).headers.has('ratelimit')).to.equal(false);
    await service.close();
    service = await startService({ settings: { RATE_LIMIT_READS: '', RATE_LIMIT_CREATES: '' } });
    const other = await service.key();
    expect(header(await read(other), 'ratelimit-policy')).to.equal('"reads";q=600;w=60');
    expect(header(await offer(service.url, other, DRAFT), 'ratelimit-policy')).to.equal('"creates";q=60;w=60');
  });
});
