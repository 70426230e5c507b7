import { expect } from 'chai';
import { randomInt } from 'node:crypto';
import { startService, type TestService } from '../../support/service.js';
import { fewer, STORAGES } from '../../support/storages.js';
import { ask, offer } from './hostile/ask.js';
import { inParallel } from './hostile/in-parallel.js';
import { slugOf } from '../../../adapters/conformance/answer.js';
import { withPrice } from './hostile/row.js';
import { fieldsOf } from '../../../adapters/conformance/row-faults.js';
import { numbers } from './hostile/shuffled.js';

const HIGHEST_CENTS = 9_999_999_999;

/** Cents as a decimal, without a detour over floating point; zeros at the end may stay or go, as writers do. */
function literalOf(cents: number, bare: boolean): string {
  const literal = `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;
  return bare ? literal.replace(/\.?0+$/, '') || '0' : literal;
}

/** The price as it stands in the bytes of the answer. */
function priceIn(body: string): string | undefined {
  return /"price":([^,}]+)/.exec(body)?.[1];
}

for (const [storage, open] of Object.entries(STORAGES))
  describe(`Prices over ${storage}`, () => {
    let service: TestService;
    let key: string;
    const seed = randomInt(2 ** 31);

    before(async () => {
      service = await startService({ repositories: open() });
      key = await service.key();
    });
    after(() => service.close());

    const count = fewer(1_000, storage);
    it(`come back exactly, ${count} of them (seed ${seed})`, async () => {
      const random = numbers(seed);
      const cents = Array.from({ length: count }, (_, i) =>
        Math.floor(random() * (i % 2 === 0 ? 100_000 : HIGHEST_CENTS + 1)),
      );
      await inParallel([0, 1, 7, 10, 29, 57, 115, HIGHEST_CENTS, ...cents], async (amount) => {
        const created = await offer(service.url, key, withPrice(literalOf(amount, amount % 3 === 0)));
        expect(created.status, String(amount)).to.equal(201);
        expect(priceIn(created.body)).to.equal(literalOf(amount, false).replace(/\.?0+$/, ''));
      });
      const [first] = (
        JSON.parse((await ask(`${service.url}/api/automations?limit=1`, { key })).body) as { data: { id: string }[] }
      ).data;
      const read = await ask(`${service.url}/api/automations/${first?.id ?? ''}`, { key });
      const listed = await ask(`${service.url}/api/automations?limit=1`, { key });
      expect(priceIn(read.body)).to.equal(priceIn(listed.body));
    });

    it('of minus zero are zero', async () => {
      for (const literal of ['-0', '-0.0', '-0.00', '-0e5', '-0E-2', '0', '0.0']) {
        const created = await offer(service.url, key, withPrice(literal));
        expect(priceIn(created.body), literal).to.equal('0');
        expect(priceIn((await ask(`${service.url}/api/automations?limit=1`, { key })).body), literal).to.equal('0');
      }
    });

    it(`of three and more decimals are refused, ${fewer(500, storage)} of them (seed ${seed})`, async () => {
      const random = numbers(seed + 1);
      const literals = Array.from({ length: fewer(500, storage) }, () => {
        const more = `${Math.floor(random() * 10_000) || 1}`.replace(/0+$/, '');
        return `${literalOf(Math.floor(random() * 10_000_000), false)}${'0'.repeat(Math.floor(random() * 3))}${more}`;
      });
      await inParallel(literals, async (literal) => {
        const answer = await offer(service.url, key, withPrice(literal));
        expect(slugOf(answer), literal).to.equal('validation-error');
        expect(fieldsOf(answer), literal).to.deep.equal(['/price']);
      });
    });
  });
