import { expect } from 'chai';
import fc from 'fast-check';
import { randomInt } from 'node:crypto';
import { illegalText, legalText } from '../../support/random-text.js';
import { fewer, startService, STORAGES, type TestService } from '../../support/service.js';
import { ask, offer } from './hostile/ask.js';
import { inParallel } from './hostile/in-parallel.js';
import { slugOf } from './hostile/judge.js';
import { DRAFT } from './hostile/row.js';
import { fieldsOf, totalOf } from './hostile/run.js';

const legal = fc.record({
  title: legalText(200, { multiline: false }),
  description: fc.oneof({ weight: 9, arbitrary: legalText(300, { multiline: true }) }, { weight: 1, arbitrary: legalText(10_000, { multiline: true }) }),
});
const illegal = fc.record({ title: illegalText({ multiline: false }), description: illegalText({ multiline: true }) });

for (const [storage, open] of Object.entries(STORAGES))
  describe(`Texts over ${storage}`, () => {
    let service: TestService;
    let key: string;
    const seed = randomInt(2 ** 31);

    before(async () => {
      service = await startService({ repositories: open() });
      key = await service.key();
    });
    after(() => service.close());

    const count = fewer(500, storage);
    it(`come back as they went, ${count} of them (seed ${seed})`, async () => {
      await inParallel(fc.sample(legal, { numRuns: count, seed }), async (texts) => {
        const created = await offer(service.url, key, { ...DRAFT, ...texts });
        expect(created.status, JSON.stringify(texts)).to.equal(201);
        const read = await ask(`${service.url}${created.headers.get('location') ?? ''}`, { key });
        const { title, description } = JSON.parse(read.body) as typeof texts;
        expect({ title, description }).to.deep.equal(texts);
        expect(read.body, 'the answer of the create and of the read').to.equal(created.body);
      });
      const list = JSON.parse((await ask(`${service.url}/api/automations?limit=100`, { key })).body) as { data: { title: string }[]; total: number };
      expect(list.total).to.equal(count);
      expect(list.data.filter(({ title }) => title !== title.trim())).to.deep.equal([]);
    });

    it('come back the same however JSON spells them', async () => {
      const title = 'Ünïcode "quoted" \\ / 😀 é e\u0301';
      const escaped = Array.from({ length: title.length }, (_, i) => `\\u${title.charCodeAt(i).toString(16).padStart(4, '0')}`).join('');
      const created = await offer(service.url, key, JSON.stringify({ ...DRAFT, title: '' }).replace('""', `"${escaped}"`));
      expect((JSON.parse(created.body) as { title: string }).title).to.equal(title);
    });

    it('lose the white space at their ends and nothing else', async () => {
      const created = await offer(service.url, key, { ...DRAFT, title: ' \n\u00a0\u2003 a  b \u3000\ufeff\t', description: '\n\n c\n\n d \n' });
      const { title, description } = JSON.parse(created.body) as { title: string; description: string };
      expect([title, description]).to.deep.equal(['a  b', 'c\n\n d']);
    });

    it(`with what the contract refuses are refused (seed ${seed})`, async () => {
      const total = await totalOf(service);
      await inParallel(fc.sample(illegal, { numRuns: fewer(300, storage), seed }), async (texts) => {
        const answer = await offer(service.url, key, { ...DRAFT, ...texts });
        expect(slugOf(answer), JSON.stringify(texts)).to.equal('validation-error');
        expect(fieldsOf(answer), JSON.stringify(texts)).to.have.members(['/title', '/description']);
      });
      expect(await totalOf(service)).to.equal(total);
    });
  });
