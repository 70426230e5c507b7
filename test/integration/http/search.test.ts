import { expect } from 'chai';
import { SEARCH_FAILURES, searchFailure, type SearchFailureCode } from '../../../domain/search-failure.js';
import { overMemory } from '../../support/repositories.js';
import { startService, type TestService } from '../../support/service.js';
import { spied } from '../../support/service/spy.js';
import { ask } from './hostile/ask.js';
import { problemOf } from '../../../adapters/conformance/answer.js';
import { startFilled, type ListJson } from './shelf.js';

describe('A query that is refused', () => {
  let service: TestService;
  let key: string;
  before(async () => {
    ({ service, key } = await startFilled({}));
  });
  after(() => service.close());

  const price = 'must be from 0 to 99999999.99 with at most 2 decimals, in plain digits';
  const order = 'must be one of newest, price, -price, best';
  const known = 'is unknown; allowed are page, limit, category, platform, after, q, sort, price_min, price_max';
  const MISTAKES: readonly (readonly [query: string, ...errors: (readonly [string, string, string])[]])[] = [
    ['q=!', ['q', 'too-short', 'must have a letter or a digit']],
    [`q=${'a'.repeat(201)}`, ['q', 'too-long', 'must have 1 to 200 characters']],
    ['q=', ['q', 'empty', 'must have a value, or be left out']],
    ['q=a&q=b', ['q', 'repeated', 'must be sent once']],
    ['sort=up', ['sort', 'unknown-value', order]],
    ['platform=zapier', ['platform', 'unknown-value', 'must be one of n8n']],
    ['sort=best', ['sort', 'unknown-value', 'may be best only together with q']],
    ['price_min=1.005', ['price_min', 'out-of-range', price]],
    ['price_max=100000000', ['price_max', 'out-of-range', price]],
    ['price_min=2&price_max=1', ['price_min', 'out-of-range', 'must not be greater than price_max']],
    ['price_min=2&price_max=-1', ['price_max', 'out-of-range', price]],
    ['search=a', ['search', 'unknown-parameter', known]],
    [
      'q=!&sort=up&price_min=x&limit=0&z=1',
      ['z', 'unknown-parameter', known],
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
        detail: 'is unknown; allowed are page, limit, category, platform, after, sort, price_min, price_max',
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
