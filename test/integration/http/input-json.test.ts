import { expect } from 'chai';
import { startService, type TestService } from '../../support/service.js';
import { STORAGES } from '../../support/storages.js';
import { offer } from './hostile/ask.js';
import { inParallel } from './hostile/in-parallel.js';
import { JSON_TEXTS, NOT_JSON, PERHAPS_JSON } from './hostile/json-corpus.js';
import { problemOf, slugOf } from '../../../adapters/cli/conformance/answer.js';
import { totalOf } from './hostile/run.js';

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

    it('of the worst kind cost little and are answered in little', async () => {
      for (const [name, body] of Object.entries(WORST)) {
        expect(Buffer.byteLength(body), name).to.be.within(60_000, 64 * 1024);
        const start = process.cpuUsage();
        const answer = await offer(service.url, key, body);
        const { user, system } = process.cpuUsage(start);
        const spent = (user + system) / 1000;
        expect(slugOf(answer), name).to.equal('validation-error');
        expect(problemOf(answer).errors, name).to.have.length.within(1, 20);
        expect(Buffer.byteLength(answer.body), name).to.be.at.most(8 * 1024);
        process.stdout.write(`        ${spent.toFixed(1)} ms of CPU: ${name}\n`);
        expect(spent, `milliseconds of CPU: ${name}`).to.be.below(250);
      }
    });
  });

const FULL = 64 * 1024 - 200;

function draft(changes: Readonly<Record<string, unknown>>): string {
  return JSON.stringify({ title: 'a', description: 'b', price: 1, category_id: 'ai-agents', ...changes });
}

function members(count: number, member: (i: number) => string): string {
  return `{${Array.from({ length: count }, (_, i) => member(i)).join()}}`;
}

/** Nearly 64 KiB each, made to take long in parsers, validators and patterns. */
const WORST: Readonly<Record<string, string>> = {
  '6,500 members': members(6_500, (i) => `"m${i + 1000}":0`),
  '6,000 members like integers': members(6_000, (i) => `"${(i + 2000) * 7}":0`),
  '9,900 members like each other': members(9_900, () => '"a":0').padEnd(60_000),
  'twenty members of 3,000 characters': members(20, (i) => `"${String(i).padStart(3_000, '~/')}":0`).padEnd(61_000),
  'arrays in arrays': `{"title":${'['.repeat(32_000)}${']'.repeat(32_000)}}`,
  'objects in objects': draft({ description: 0 }).replace(':0', `:${'{"a":'.repeat(10_000)}0${'}'.repeat(10_000)}`),
  'a number of 65,000 digits': draft({ price: 0 }).replace(':0', `:${'9'.repeat(65_000)}`),
  'a fraction of 65,000 digits': draft({ price: 0 }).replace(':0', `:0.${'1'.repeat(65_000)}`),
  'a title of white space': draft({ title: `a${' '.repeat(FULL)}b` }),
  'a title of letters': draft({ title: 'a'.repeat(FULL) }),
  'a title of letters and a control': draft({ title: `${'a'.repeat(FULL - 10)}\u0001` }),
  'a title of invisible characters': draft({ title: '\u200b'.repeat(FULL / 3) }),
  'a title of combining marks': draft({ title: '\u0301'.repeat(FULL / 2) }),
  'a title of surrogates': draft({ title: '' }).replace('""', `"${'\\ud83d'.repeat(FULL / 6)}"`),
  'a description of line feeds': draft({ description: `a${'\\n'.repeat(FULL / 4)}b` }).padEnd(60_500),
  'a description of emoji and a noncharacter': draft({ description: `${'😀'.repeat(FULL / 4 - 10)}\uffff` }),
  'a category of hyphens': draft({ category_id: `a${'-'.repeat(FULL)}` }),
  'a category of words': draft({ category_id: `${'a-'.repeat(FULL / 2 - 2)}!` }),
  'a category of letters and one capital': draft({ category_id: `${'a'.repeat(FULL)}A` }),
  'four broken texts': draft({
    title: '\u200b'.repeat(7_000),
    description: '\u200b'.repeat(7_000),
    price: 'x'.repeat(10_000),
    category_id: 'a-'.repeat(5_000),
  }),
};
