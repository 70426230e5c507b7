import { expect } from 'chai';
import { parseDeveloperId, SCOPES, type Caller } from '../../../application/index.js';
import { OPERATOR } from '../../../domain/access.js';
import { startService, type TestService } from '../../support/service.js';
import { STORAGES } from '../../support/storages.js';

const CALLER: Caller = { developerId: parseDeveloperId('ada'), scopes: SCOPES };
const UNKNOWN = '01900000-0000-7000-8000-0123456789ab';

interface ListJson {
  readonly data: readonly { readonly id: string }[];
  readonly total: number;
  readonly page: number;
}

for (const [storage, open] of Object.entries(STORAGES))
  describe(`GET /automations?after=ID over ${storage}`, () => {
    let service: TestService;
    let authorization: string;
    /** Newest first. */
    const ids: string[] = [];

    before(async () => {
      service = await startService({ repositories: open() });
      authorization = `Bearer ${await service.key()}`;
      for (let n = 0; n < 30; n += 1) ids.unshift(await publish(n % 3 === 0 ? 'communication' : 'ai-agents'));
    });
    after(() => service.close());

    const publish = async (categoryId: string) =>
      (await service.marketplace.createAutomation(CALLER, { title: 't', description: 'd', price: 1, categoryId })).id;
    const ask = (query: string) => fetch(`${service.url}/api/automations?${query}`, { headers: { authorization } });

    it('has what comes behind it, page 1, the total of all, and the next one in Link', async () => {
      const [, , third, , , , , eighth] = ids;
      const response = await ask(`after=${third}&limit=5`);
      const { data, total, page } = (await response.json()) as ListJson;
      expect([data.map(({ id }) => id), total, page]).to.deep.equal([ids.slice(3, 8), 30, 1]);
      const next = `/api/automations?limit=5&after=${eighth}`;
      expect(response.headers.get('link')).to.equal(`<${next}>; rel="next"`);
      const again = await fetch(response.url, {
        headers: { authorization, 'if-none-match': response.headers.get('etag') ?? '' },
      });
      expect([again.status, again.headers.get('link')]).to.deep.equal([304, response.headers.get('link')]);
    });

    it('takes an id in upper case', async () => {
      const { data } = (await (await ask(`after=${ids[0]?.toUpperCase()}&limit=2`)).json()) as ListJson;
      expect(data.map(({ id }) => id)).to.deep.equal(ids.slice(1, 3));
    });

    it('has no link on a page that is not full, and nothing behind the last one', async () => {
      for (const [index, count] of [
        [27, 2],
        [29, 0],
      ] as const) {
        const response = await ask(`after=${ids[index]}&limit=5`);
        const { data, total } = (await response.json()) as ListJson;
        expect([data.length, total, response.headers.get('link')]).to.deep.equal([count, 30, null]);
      }
    });

    it('keeps the links of a list without it', async () => {
      const at = '/api/automations?limit=20&page=';
      expect((await ask('limit=20')).headers.get('link')).to.equal(
        `<${at}1>; rel="first", <${at}2>; rel="next", <${at}2>; rel="last"`,
      );
    });

    for (const [parameter, value] of Object.entries({
      page: 1,
      platform: 'n8n',
      q: 't',
      sort: 'newest',
      price_min: 0,
      price_max: 9,
    }))
      it(`refuses ${parameter} together with it`, async () => {
        const response = await ask(`after=${ids[0]}&${parameter}=${value}`);
        const { code, errors } = (await response.json()) as { code: string; errors: unknown };
        expect([response.status, code, errors]).to.deep.equal([
          400,
          'invalid-query',
          [{ parameter, code: 'unknown-value', detail: 'must be left out together with after' }],
        ]);
      });

    for (const [what, query] of [
      ['an id that nothing has', `after=${UNKNOWN}`],
      ['an id that nothing has, in a category', `after=${UNKNOWN}&category=ai-agents`],
      ['a text that is no id', 'after=1'],
    ] as const)
      it(`refuses ${what}`, async () => {
        const response = await ask(query);
        const { code, errors } = (await response.json()) as { code: string; errors: unknown };
        const detail = 'must be the id of an automation that is or was on sale';
        const error = { parameter: 'after', code: 'unknown-value', detail };
        expect([response.status, code, errors]).to.deep.equal([400, 'invalid-query', [error]]);
      });

    for (const filter of ['', 'category=ai-agents&'])
      it(`leads by links through everything ${filter}once, while others come and go`, async () => {
        const publishedFirst = await Promise.all(ids.map((id) => service.marketplace.readAutomation(CALLER, id)));
        const expected = publishedFirst.filter(({ categoryId }) => filter === '' || categoryId === 'ai-agents');
        const seen: string[] = [];
        for (let query: string | undefined = `${filter}limit=4`; query !== undefined;) {
          const response: Response = await ask(query);
          const { data } = (await response.json()) as ListJson;
          seen.push(...data.map(({ id }) => id));
          const last = data.at(-1)?.id;
          query = last && `${filter}limit=4&after=${last}`;
          const link = response.headers.get('link') ?? '';
          if (query !== undefined && data.length === 4 && !link.includes('rel="first"')) expect(link).to.include(query);
          if (last === undefined) continue;
          await service.marketplace.withdrawAutomation(OPERATOR, last);
          await publish('ai-agents');
        }
        expect(seen).to.deep.equal(expected.map(({ id }) => id));
        ids.length = 0;
        const { data } = (await (await ask('limit=100')).json()) as ListJson;
        ids.push(...data.map(({ id }) => id));
      });
  });
