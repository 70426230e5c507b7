import { expect } from 'chai';
import { setTimeout as later } from 'node:timers/promises';
import { converse, RawClient } from '../../support/raw.js';
import { startService, type TestService } from '../../support/service.js';
import { STORAGES } from '../../support/storages.js';
import { answerOf, ask, judged, offer, speak } from './hostile/ask.js';
import { slugOf } from '../../../adapters/conformance/answer.js';
import { draft, padded } from './hostile/row.js';
import { totalOf } from './hostile/run.js';

for (const [storage, open] of Object.entries(STORAGES))
  describe(`Connections over ${storage}`, () => {
    let service: TestService;
    let key: string;
    const get = (more = '') => `GET /api/categories HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n${more}\r\n`;
    const post = (length: number, more = '') =>
      `POST /api/automations HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: ` +
      `application/json\r\nContent-Length: ${length}\r\n${more}\r\n`;

    before(async () => {
      service = await startService({ repositories: open() });
      key = await service.key();
    });
    after(() => service.close());

    it('carry answers in the order of the requests, refusals among them', async () => {
      const said =
        get() +
        get('Expect: x\r\n') +
        get('Accept: text/html\r\n') +
        post(draft().length) +
        draft() +
        get('Host: y\r\n') +
        get();
      const { statuses, closed } = await speak(service.port, said, { answers: 6 });
      expect(statuses).to.deep.equal([200, 417, 406, 201, 400, 200]);
      expect(closed).to.be.false;
    });

    it('carry the answers before a request that cannot be read, and end with it', async () => {
      const { statuses, closed } = await speak(service.port, `${get()}${get()}NONSENSE\r\n\r\n${get()}`, {
        untilClosed: true,
      });
      expect({ statuses, closed }).to.deep.equal({ statuses: [200, 200, 400], closed: true });
    });

    it('end with a request of uncertain end, whichever application would serve the next one', async () => {
      const total = await totalOf(service);
      for (const path of ['/livez', '/panel', '/catalogue']) {
        const head = `GET ${path} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`;
        const { answers, closed } = await converse(service.port, `${head}${post(draft().length)}${draft()}`, {
          untilClosed: true,
        });
        expect(answers.map(({ status }) => status)).to.deep.equal([400]);
        expect(closed).to.equal(true);
      }
      expect(await totalOf(service)).to.equal(total);
    });

    it('stay open after a refusal whose body was read or was small', async () => {
      const said = post(1) + '{' + post(2) + '{}' + post(5).replace('application/json', 'text/plain') + 'hello' + get();
      const { statuses, closed } = await speak(service.port, said, { answers: 4 });
      expect({ statuses, closed }).to.deep.equal({ statuses: [400, 422, 415, 200], closed: false });
    });

    it('are asked to go on only by who wants the body', async () => {
      const client = await RawClient.open(service.port);
      client.say(post(draft().length, 'Expect: 100-continue\r\n'));
      await waitFor(async () => (await client.listen({ answers: 0 })).answers.length === 1);
      expect((await client.listen({ answers: 0 })).answers[0]?.status).to.equal(100);
      client.say(draft());
      const { answers } = await client.listen();
      client.destroy();
      expect(answers.map(({ status }) => status)).to.deep.equal([100, 201]);
    });

    it('that are asked for a broken body first are told in the end', async () => {
      const client = await RawClient.open(service.port);
      client.say(post(2, 'Expect: 100-continue\r\n'));
      await waitFor(async () => (await client.listen({ answers: 0 })).answers.length === 1);
      client.say('{]');
      const { answers } = await client.listen();
      client.destroy();
      expect(answers.map(({ status }) => status)).to.deep.equal([100, 400]);
    });

    it('that end in the middle of an upload leave nothing', async () => {
      const total = await totalOf(service);
      for (const end of ['end', 'abort'] as const)
        for (const at of [0, 1, Math.floor(draft().length / 2), draft().length - 1]) {
          const client = await RawClient.open(service.port);
          client.say(post(draft().length) + draft().slice(0, at));
          await new Promise((resolve) => setTimeout(resolve, 5));
          client[end]();
          const { answers } = await client.listen({ answers: 1, untilClosed: true });
          for (const answer of answers)
            expect(slugOf(judged(answerOf(answer, 'POST /api/automations ', false)))).to.equal('malformed-request');
          client.destroy();
        }
      expect(await totalOf(service)).to.equal(total);
      expect((await ask(`${service.url}/api/categories`, { key })).status).to.equal(200);
      expect(service.errors).to.deep.equal([]);
    });

    it('that end in the middle of chunks leave nothing', async () => {
      const total = await totalOf(service);
      const head = post(0).replace(/Content-Length: 0/, 'Transfer-Encoding: chunked');
      for (const said of [
        '',
        '5',
        '5\r\n',
        '5\r\nhel',
        `${draft().length.toString(16)}\r\n${draft()}`,
        `${draft().length.toString(16)}\r\n${draft()}\r\n0\r\n`,
      ]) {
        const client = await RawClient.open(service.port);
        client.say(head + said);
        client.end();
        await client.listen({ untilClosed: true });
        client.destroy();
      }
      expect(await totalOf(service)).to.equal(total);
      expect(service.errors).to.deep.equal([]);
    });

    it('take a body that comes in pieces', async () => {
      const body = padded(draft(), 2_000);
      const client = await RawClient.open(service.port);
      client.say(post(2_000));
      for (let i = 0; i < 2_000; i += 100) {
        client.say(body.slice(i, i + 100));
        await new Promise((resolve) => setImmediate(resolve));
      }
      expect((await client.listen()).answers.map(({ status }) => status)).to.deep.equal([201]);
      client.destroy();
    });

    it('name each request as the client did, if it did so legally', async () => {
      for (const legal of ['a', 'A-9', '0'.repeat(64), '0193a3f0-0000-7000-8000-000000000000'])
        expect(await requestId(legal), legal).to.equal(legal);
      for (const illegal of [
        '',
        ' ',
        '0'.repeat(65),
        'a b',
        'a_b',
        'a.b',
        'a/b',
        '<a>',
        'a,b',
        'ä',
        '%0a',
        '{}',
        '"a"',
      ]) {
        const id = await requestId(illegal);
        expect(id, illegal)
          .to.match(/^[A-Za-z0-9-]{1,64}$/)
          .and.not.equal(illegal);
      }
      const fresh = [await requestId(), await requestId(), await requestId('a b')];
      expect(new Set(fresh).size).to.equal(3);
    });

    async function requestId(wanted?: string): Promise<string | null> {
      const named = wanted === undefined ? '' : `X-Request-Id: ${wanted}\r\n`;
      const { answers } = await speak(service.port, get(`Accept: text/html\r\n${named}`));
      return answers[0]?.headers.get('x-request-id') ?? null;
    }

    it('refuse a declared body over the limit before it is sent, and do not wait for it', async () => {
      const { answers, closed } = await speak(service.port, post(2_100_000), { untilClosed: true });
      expect(answers.map(slugOf)).to.deep.equal(['payload-too-large']);
      expect(closed).to.be.true;
      expect((await offer(service.url, key, padded(draft(), 64 * 1024))).status).to.equal(201);
    });
  });

async function waitFor(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await later(10);
}
