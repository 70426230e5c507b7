import { expect } from 'chai';
import type { TestService } from '../../support/service.js';
import { STORAGES } from '../../support/storages.js';
import { ask } from './hostile/ask.js';
import { SHELF, startFilled, type ListJson } from './shelf.js';

interface Search {
  readonly numbers: readonly number[];
  readonly total: number;
  readonly next: string | undefined;
  readonly etag: string;
}

for (const [storage, open] of Object.entries(STORAGES))
  describe(`A search over ${storage}`, () => {
    let service: TestService;
    let key: string;
    before(async () => {
      ({ service, key } = await startFilled({ repositories: open() }));
    });
    after(() => service.close());

    /** What a path below the service has, by the numbers of `SHELF` from 1. */
    const search = async (target: string): Promise<Search> => {
      const { status, body, headers } = await ask(`${service.url}${target}`, { key });
      expect(status, body).to.equal(200);
      const { data, total } = JSON.parse(body) as ListJson;
      const numbers = data.map(({ title }) => SHELF.findIndex((one) => one.title === title) + 1);
      const next = /<([^>]*)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];
      return { numbers, total, next, etag: headers.get('etag') ?? '' };
    };

    const CASES: readonly (readonly [query: string, numbers: readonly number[]])[] = [
      ['q=invoice', [4, 2, 1]],
      ['q=INVOICE', [4, 2, 1]],
      ['q=invoice+', [4, 2, 1]],
      ['q=invoice+sort', [4, 2]],
      ['q=sort+invoice', [1]],
      ['q=invoices', [1]],
      ['q=FACTURE', [4]],
      ['q=facture%CC%81', [4]],
      ['q=%F0%9F%8E%9F+remind', [2]],
      ['q=date%3C%2Fb', [3]],
      ['q=date', [3]],
      ['q=%E8%87%AA%E5%8A%A8', [5]],
      ['q=%E5%8A%A8%E8%87%AA', []],
      ['q=%E6%B5%81%E7%A8%8B%E8%87%AA', [5]],
      ['q=%D8%A3%D8%AA%D9%85%D8%AA%D9%87', [6]],
      ['q=a+b+c+d+e+f+g+h+i+j+k+l+m+n+o+p+an+facture+invoice+sort', []],
      ['q=%E3%82%B5+ai', [5]],
      ['q=%D8%B9%D8%B1%D8%A8%D9%8A', [6]],
      ['q=nothing', []],
      ['q=invoice&sort=best', [2, 1, 4]],
      ['q=sort&sort=best&category=ai-agents', [1, 4]],
      ['q=facture!&sort=best', [4]],
      ['sort=newest', [6, 5, 4, 3, 2, 1]],
      ['sort=price', [2, 6, 3, 1, 4, 5]],
      ['sort=-price', [5, 4, 1, 3, 6, 2]],
      ['price_min=5', [5, 4, 3, 1]],
      ['price_max=5.0', [6, 3, 2, 1]],
      ['price_min=0.07&price_max=5&sort=-price', [1, 3, 6]],
      ['price_min=99999999.99', [5]],
      ['price_max=0', [2]],
      ['price_min=6&price_max=6', []],
      ['category=ai-agents&q=by&price_max=5&sort=price', [3, 1]],
      ['category=no-such-category&q=invoice', []],
    ];
    for (const [query, numbers] of CASES)
      it(`finds ${numbers.length} with ${query}`, async () => {
        const found = await search(`/api/automations?${query}`);
        expect(found).to.include({ total: numbers.length }).and.deep.include({ numbers });
      });

    for (const query of ['q=invoice+sort&sort=best&price_min=0&price_max=12.5', 'sort=-price&category=ai-agents'])
      it(`is walked to its end by Link, with all of ${query}`, async () => {
        const whole = await search(`/v1/automations?${query}`);
        const walked: number[] = [];
        for (let next: string | undefined = `/v1/automations?${query}&limit=1`; next !== undefined;) {
          const part = await search(next);
          expect(part.total).to.equal(whole.total);
          walked.push(...part.numbers);
          expect(
            Array.from(new URLSearchParams(next.split('?')[1])).filter(([name]) => name !== 'page'),
          ).to.have.deep.members(Array.from(new URLSearchParams(`${query}&limit=1`)));
          next = part.next;
        }
        expect(walked).to.deep.equal(whole.numbers);
      });

    it('is 304 until it finds something else', async () => {
      const target = '/api/automations?q=invoice&sort=price';
      const { etag } = await search(target);
      const again = () => ask(`${service.url}${target}`, { key, headers: { 'If-None-Match': etag } });
      expect((await again()).status).to.equal(304);
      const { id } = await service.marketplace.createAutomation(
        { developerId: 'ada' as never, scopes: ['automations:write'] },
        { title: 'Invoice', description: 'D', price: 1, categoryId: 'ai-agents' },
      );
      expect((await again()).status).to.equal(200);
      await service.repositories.automations.withdraw(id, { by: 'developer', at: new Date() });
      expect((await again()).status).to.equal(304);
    });
  });
