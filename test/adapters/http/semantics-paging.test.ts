import { expect } from 'chai';
import type { Caller } from '../../../application/index.js';
import { parseDeveloperId, SCOPES } from '../../../application/index.js';
import { startService, STORAGES, type TestService } from '../../support/service.js';
import { ask } from './hostile/ask.js';
import { inParallel } from './hostile/in-parallel.js';

interface ListJson {
  readonly data: readonly { readonly id: string }[];
  readonly total: number;
  readonly page: number;
}

const ITEMS = 500;
const CALLER: Caller = { developerId: parseDeveloperId('ada'), scopes: SCOPES };
const LIMITS = Array.from({ length: 100 }, (_, i) => i + 1);

for (const [storage, open] of Object.entries(STORAGES))
  describe(`Pages of ${ITEMS} automations over ${storage}`, () => {
    let service: TestService;
    let key: string;
    /** Newest first. */
    const ids: string[] = [];
    const idsOf: Record<string, string[]> = { 'ai-agents': [], communication: [], 'data-processing': [] };

    before(async () => {
      service = await startService({ repositories: open(), now: () => new Date('2026-01-01T00:00:00.000Z') });
      key = await service.key();
      for (let i = 0; i < ITEMS; i += 1) await add(i % 5 === 0 ? 'communication' : 'ai-agents');
    });
    after(() => service.close());

    async function add(categoryId: string): Promise<void> {
      const { id } = await service.marketplace.createAutomation(CALLER, { title: `No. ${ids.length}`, description: 'd', price: 1, categoryId });
      ids.unshift(id);
      idsOf[categoryId]?.unshift(id);
    }

    async function list(query: string): Promise<ListJson> {
      return JSON.parse((await ask(`${service.url}/api/automations?${query}`, { key })).body) as ListJson;
    }

    /** The law of the envelope, and which automations are on the page. */
    async function checkPage(expected: readonly string[], page: number, limit: number, filter = ''): Promise<void> {
      const { data, ...rest } = await list(`${filter}limit=${limit}&page=${page}`);
      expect(rest).to.deep.equal({ total: expected.length, page });
      expect(data.map(({ id }) => id)).to.deep.equal(expected.slice((page - 1) * limit, page * limit));
    }

    /** All pages and one more. */
    async function walk(expected: readonly string[], limit: number, filter = ''): Promise<void> {
      const pages = Math.ceil(expected.length / limit) + 1;
      for (let page = 1; page <= pages; page += 1) await checkPage(expected, page, limit, filter);
    }

    it('hold the whole list in order, for every limit from 10, though all are of one time', () =>
      inParallel(LIMITS.slice(9).filter((limit) => storage !== 'MongoDB' || limit % 10 === 0), (limit) => walk(ids, limit)));

    it('hold a shorter list in order for the limits below 10, and of the whole list its ends and its middle', () =>
      inParallel(LIMITS.slice(0, 9), async (limit) => {
        await walk(idsOf['communication'] ?? [], limit, 'category=communication&');
        const last = Math.ceil(ITEMS / limit);
        for (const page of [1, 2, Math.floor(last / 2), last - 1, last, last + 1]) await checkPage(ids, page, limit);
      }));

    it('hold the list of a category in order', async () => {
      for (const [category, expected] of Object.entries(idsOf))
        await inParallel([7, 25, 99, 100], (limit) => walk(expected, limit, `category=${category}&`));
    });

    it('are 25 long when nobody says otherwise', async () => {
      expect((await list('')).data.map(({ id }) => id)).to.deep.equal(ids.slice(0, 25));
    });

    it('far past the end are empty and have the total', async () => {
      for (const query of ['page=501&limit=1', 'page=999999999', 'page=999999999&limit=100'])
        expect(await list(query)).to.deep.include({ data: [], total: ITEMS });
    });

    it('show each automation at least once while others are added, and never one that is not there', async () => {
      const known = [...ids];
      const stop = new AbortController();
      const writer = (async () => {
        while (!stop.signal.aborted) {
          await add('ai-agents');
          await new Promise((resolve) => setTimeout(resolve, 2));
        }
      })();
      for (const limit of [7, 25, 100]) {
        const seen = new Set<string>();
        for (let page = 1, more = true; more; page += 1) {
          const { data } = await list(`limit=${limit}&page=${page}`);
          for (const { id } of data) seen.add(id);
          more = data.length > 0;
        }
        expect(known.filter((id) => !seen.has(id)), `missed with limit ${limit}`).to.deep.equal([]);
      }
      stop.abort();
      await writer;
      expect(ids.length, 'the writer wrote').to.be.above(ITEMS);
    });
  });
