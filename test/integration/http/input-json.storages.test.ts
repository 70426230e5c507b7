import { expect } from 'chai';
import { startService, type TestService } from '../../support/service.js';
import { STORAGES } from '../../support/storages.js';
import { offer } from './hostile/ask.js';
import { inParallel } from './hostile/in-parallel.js';
import { JSON_TEXTS, NOT_JSON, PERHAPS_JSON } from './hostile/json-corpus.js';
import { problemOf, slugOf } from '../../../adapters/conformance/answer.js';
import { totalOf } from './hostile/run.js';
import { draft, WORST_BODIES } from './hostile/worst-bodies.js';

for (const [storage, open] of Object.entries(STORAGES))
  describe(`JSON texts over ${storage}`, () => {
    let service: TestService;
    let key: string;

    before(async () => {
      service = await startService({ repositories: open() });
      key = await service.key();
    });
    after(() => service.close());
    afterEach(async () => {
      expect(await totalOf(service), 'automations stored').to.equal(0);
      expect(service.errors, 'failures of the service').to.deep.equal([]);
    });

    it('that are none are malformed-json', async () => {
      expect(Object.keys(NOT_JSON)).to.have.length.at.least(80);
      await inParallel(Object.entries(NOT_JSON), async ([name, text]) => {
        const answer = await offer(service.url, key, text);
        expect(slugOf(answer), name).to.equal('malformed-json');
      });
    });

    it('that are some, but no automation, are a validation-error', async () => {
      expect(Object.keys(JSON_TEXTS)).to.have.length.at.least(40);
      await inParallel(Object.entries(JSON_TEXTS), async ([name, text]) => {
        const answer = await offer(service.url, key, text);
        expect(slugOf(answer), name).to.equal('validation-error');
      });
    });

    it('that parsers disagree about are refused by one of the two', async () => {
      expect(Object.keys(PERHAPS_JSON)).to.have.length.at.least(20);
      await inParallel(Object.entries(PERHAPS_JSON), async ([name, text]) => {
        const answer = await offer(service.url, key, text);
        expect(slugOf(answer), name).to.be.oneOf(['malformed-json', 'validation-error']);
      });
    });

    it('with unknown members are told of each, beside what else is wrong, and of 20 faults at most', async () => {
      for (const [count, told] of [
        [1, 2],
        [17, 18],
        [19, 20],
        [25, 20],
      ] as const) {
        const unknown = Object.fromEntries(Array.from({ length: count }, (_, n) => [`u${n}`, n]));
        const { errors = [] } = problemOf(await offer(service.url, key, draft({ price: -1, ...unknown })));
        const named = Array.from({ length: told - 1 }, (_, n) => `/u${n}`);
        expect(
          errors.map(({ pointer }) => pointer),
          String(count),
        ).to.deep.equal(['/price', ...named]);
      }
    });

    it('of the worst kind are answered in little', async () => {
      for (const [name, body] of Object.entries(WORST_BODIES)) {
        expect(Buffer.byteLength(body), name).to.be.within(60_000, 64 * 1024);
        const answer = await offer(service.url, key, body);
        expect(slugOf(answer), name).to.equal('validation-error');
        expect(problemOf(answer).errors, name).to.have.length.within(1, 20);
        expect(Buffer.byteLength(answer.body), name).to.be.at.most(8 * 1024);
      }
    });
  });
