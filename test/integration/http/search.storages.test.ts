import { expect } from 'chai';
import { SEARCH_FAILURES, searchFailure, type SearchFailureCode } from '../../../domain/search-failure.js';
import { overMemory } from '../../support/repositories.js';
import { startService, type TestService } from '../../support/service.js';
import { spied } from '../../support/service/spy.js';
import { STORAGES } from '../../support/storages.js';
import { ask, offer } from './hostile/ask.js';
import { problemOf } from '../../../adapters/conformance/answer.js';

const SHELF = [
  { title: 'Sort invoices', description: 'By supplier.', price: 5, category_id: 'ai-agents' },
  { title: 'Invoice reminder 🎟', description: 'Sorts what is due.', price: 0, category_id: 'data-processing' },
  { title: 'Tidy photos', description: 'By place & <b>date</b>.', price: 5, category_id: 'ai-agents' },
  { title: 'Facturé', description: 'An invoice, sorted.', price: 12.5, category_id: 'ai-agents' },
  { title: '工作流程自动化', description: 'サーバーAI', price: 99_999_999.99, category_id: 'communication' },
  { title: 'أتمتة الفواتير', description: 'عَرَبِيّ', price: 0.07, category_id: 'communication' },
];

interface ListJson {
  readonly data: readonly { readonly title: string; readonly price: number }[];
  readonly total: number;
  readonly page: number;
}

interface Search {
  readonly numbers: readonly number[];
  readonly total: number;
  readonly next: string | undefined;
  readonly etag: string;
}

async function startFilled(options: Parameters<typeof startService>[0]) {
  const service = await startService(options);
  const key = await service.key();
  for (const draft of SHELF) expect((await offer(service.url, key, draft)).status).to.equal(201);
  return { service, key };
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

describe('A query that is refused', () => {
  let service: TestService;
  let key: string;
  before(async () => {
    ({ service, key } = await startFilled({}));
  });
  after(() => service.close());

  const price = 'must be from 0 to 99999999.99 with at most 2 decimals, in plain digits';
  const order = 'must be one of newest, price, -price, best';
  const MISTAKES: readonly (readonly [query: string, ...errors: (readonly [string, string, string])[]])[] = [
    ['q=!', ['q', 'too-short', 'must have a letter or a digit']],
    [`q=${'a'.repeat(201)}`, ['q', 'too-long', 'must have 1 to 200 characters']],
    ['q=', ['q', 'empty', 'must have a value, or be left out']],
    ['q=a&q=b', ['q', 'repeated', 'must be sent once']],
    ['sort=up', ['sort', 'unknown-value', order]],
    ['sort=best', ['sort', 'unknown-value', 'may be best only together with q']],
    ['price_min=1.005', ['price_min', 'out-of-range', price]],
    ['price_max=100000000', ['price_max', 'out-of-range', price]],
    ['price_min=2&price_max=1', ['price_min', 'out-of-range', 'must not be greater than price_max']],
    ['price_min=2&price_max=-1', ['price_max', 'out-of-range', price]],
    [
      'search=a',
      ['search', 'unknown-parameter', 'is unknown; allowed are page, limit, category, q, sort, price_min, price_max'],
    ],
    [
      'q=!&sort=up&price_min=x&limit=0&z=1',
      ['z', 'unknown-parameter', 'is unknown; allowed are page, limit, category, q, sort, price_min, price_max'],
      ['limit', 'out-of-range', 'must be an integer from 1 to 100, in plain digits'],
      ['sort', 'unknown-value', order],
      ['price_min', 'out-of-range', price],
      ['q', 'too-short', 'must have a letter or a digit'],
    ],
  ];
  for (const [query, ...errors] of MISTAKES)
    it(`names what is wrong and what is allowed: ${query.slice(0, 40)}`, async () => {
      const { status, body, ...rest } = await ask(`${service.url}/api/automations?${query}`, { key });
      expect(status).to.equal(400);
      expect(problemOf({ status, body, ...rest }).errors).to.deep.equal(
        errors.map(([parameter, code, detail]) => ({ parameter, code, detail })),
      );
    });
});

describe('A query in a currency without decimals', () => {
  let service: TestService;
  before(async () => {
    service = await startService({ settings: { CURRENCY: 'JPY' } });
  });
  after(() => service.close());

  it('has prices without decimals', async () => {
    const key = await service.key();
    const answer = await ask(`${service.url}/api/automations?price_min=1.5`, { key });
    expect(problemOf(answer).errors?.[0]?.detail).to.equal('must be an integer from 0 to 99999999, in plain digits');
    expect((await ask(`${service.url}/api/automations?price_min=15`, { key })).status).to.equal(200);
  });
});

describe('A service that keeps no index of words', () => {
  let service: TestService;
  let key: string;
  before(async () => {
    ({ service, key } = await startFilled({ settings: { SEARCH: 'off' } }));
  });
  after(() => service.close());
  const get = (query: string) => ask(`${service.url}/api/automations?${query}`, { key });

  it('does not know q and best', async () => {
    expect(problemOf(await get('q=invoice')).errors).to.deep.equal([
      {
        parameter: 'q',
        code: 'unknown-parameter',
        detail: 'is unknown; allowed are page, limit, category, sort, price_min, price_max',
      },
    ]);
    expect(problemOf(await get('sort=best')).errors).to.deep.equal([
      { parameter: 'sort', code: 'unknown-value', detail: 'must be one of newest, price, -price' },
    ]);
  });

  it('lists by price', async () => {
    const { data, total } = JSON.parse((await get('sort=-price&price_max=5&limit=2')).body) as ListJson;
    expect([data.map(({ price }) => price), total]).to.deep.equal([[5, 5], 4]);
  });

  it('does not document them', async () => {
    const document = await (await fetch(`${service.url}/openapi.json`)).text();
    expect(document).to.include('"price_min"').and.not.include('components/parameters/q"').and.not.include('`best`');
  });
});

describe('A search that fails', () => {
  let service: TestService;
  afterEach(() => service.close());
  for (const [code, message] of Object.entries(SEARCH_FAILURES))
    it(`is 503 and says why: ${code}`, async () => {
      const search = { search: () => Promise.reject(searchFailure(code as SearchFailureCode)) };
      const filled = await startFilled({ repositories: { ...overMemory(), search } });
      service = filled.service;
      const { key } = filled;
      const answer = await ask(`${service.url}/api/automations?q=a`, { key });
      const retryAfter = code === 'too-many-searches' ? '1' : '2';
      expect([answer.status, answer.headers.get('retry-after')]).to.deep.equal([503, retryAfter]);
      expect(problemOf(answer).detail).to.equal(`${message.charAt(0).toUpperCase()}${message.slice(1)}.`);
      expect((await ask(`${service.url}/api/automations`, { key })).status).to.equal(200);
    });
});

describe('Reads without a search', () => {
  const { repositories, calls } = spied(overMemory());
  let service: TestService;
  let key: string;
  before(async () => {
    ({ service, key } = await startFilled({ repositories }));
  });
  after(() => service.close());

  it('call what they called before it', async () => {
    const list = async (query: string) => {
      calls.length = 0;
      expect((await ask(`${service.url}/api/automations${query}`, { key })).status).to.equal(200);
      return calls.filter((call) => !call.startsWith('keys.') && !call.startsWith('developers.'));
    };
    for (const query of ['', '?page=2&limit=3', '?category=ai-agents', '?sort=newest'])
      expect(await list(query), query).to.deep.equal(['automations.list']);
    const [newest] = (await service.marketplace.listAutomations(READER)).items;
    expect(await list(`/${newest?.id}`)).to.deep.equal(['automations.find']);
  });
});

const READER = { developerId: 'ada' as never, scopes: ['automations:read'] as const };
