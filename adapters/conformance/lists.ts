import { check, must, same, Skipped, type Group } from './check.js';
import { automationOf, categories, linksOf, list } from './shapes.js';

/** The number of pages of 100 that are read at most. */
const MAX_PAGES = 20;
/** The tolerated difference between the clocks of several processes. */
const CLOCK_SKEW_MS = 60_000;

function clamp(total: number, page: number, limit: number): number {
  return Math.max(0, Math.min(limit, total - (page - 1) * limit));
}

export const lists: Group = {
  name: 'Lists',
  checks: [
    check('a list is exactly data, total and page, and an item exactly id, title and price', async (api) => {
      const { page, reply } = await list(api);
      same(page, 1, reply, 'page');
    }),
    check('25 are on a page unless limit says otherwise', async (api) => {
      const { data, total, reply } = await list(api);
      same(data.length, clamp(total, 1, 25), reply, 'the number of items');
    }),
    check('each page has as many items as total, page and limit say', async (api) => {
      for (const limit of [1, 7, 100]) {
        const { total } = await list(api, `?limit=${limit}`);
        const last = Math.max(1, Math.ceil(total / limit));
        for (const page of new Set([1, 2, last, last + 1])) {
          const found = await list(api, `?limit=${limit}&page=${page}`);
          same(
            [found.data.length, found.page],
            [clamp(found.total, page, limit), page],
            found.reply,
            'the number of items and the page',
          );
        }
      }
    }),
    check('the pages together have every automation once', async (api) => {
      const ids: string[] = [];
      const first = await list(api, '?limit=100');
      for (let page = 1; page <= MAX_PAGES && (page - 1) * 100 < first.total; page += 1)
        ids.push(...(await list(api, `?limit=100&page=${page}`)).data.map(({ id }) => id));
      const after = await list(api, '?limit=100');
      if (after.total !== first.total) throw new Skipped('automations are created or withdrawn at the same time');
      same(new Set(ids).size, ids.length, first.reply, 'the number of different ids');
      same(ids.length, Math.min(first.total, MAX_PAGES * 100), first.reply, 'the number of ids');
    }),
    check('a page is the same slice of one order whatever the limit', async (api) => {
      const [whole, second] = [await list(api, '?limit=20'), await list(api, '?limit=10&page=2')];
      const after = await list(api, '?limit=20');
      if (JSON.stringify(after.data) !== JSON.stringify(whole.data))
        throw new Skipped('automations are created or withdrawn at the same time');
      same(second.data, whole.data.slice(10), second.reply, 'the second ten');
    }),
    check('page behind page, by after, has every automation once', async (api) => {
      const first = await list(api, '?limit=100');
      const whole = [first, ...(first.total > 100 ? [await list(api, '?limit=100&page=2')] : [])].flatMap(
        ({ data }) => data,
      );
      const found = [...(await list(api, '?limit=30')).data];
      for (let last = found.at(-1); last !== undefined && found.length < whole.length;) {
        const { data, total, page, reply } = await list(api, `?limit=30&after=${last.id}`);
        same([total, page], [first.total, 1], reply, 'total and page');
        found.push(...data);
        last = data.at(-1);
      }
      if ((await list(api)).total !== first.total)
        throw new Skipped('automations are created or withdrawn at the same time');
      same(found.slice(0, whole.length), whole, first.reply, 'the items');
    }),
    check('Link leads from a page with after to the next one', async (api) => {
      const { data, total } = await list(api, '?limit=1');
      const [item] = data;
      if (item === undefined || total < 3) throw new Skipped('this check needs three automations');
      const behind = await list(api, `?limit=1&after=${item.id}`);
      const next = linksOf(behind.reply).get('next') ?? '';
      must(next.endsWith(`limit=1&after=${behind.data[0]?.id}`), behind.reply, `the next page is ${next}`);
    }),
    check('the newest come first', async (api) => {
      const { data, reply } = await list(api, '?limit=10');
      const times = await Promise.all(
        data.map(async ({ id }) => Date.parse(automationOf(await api.ask(`/automations/${id}`)).created_at)),
      );
      for (let i = 1; i < times.length; i += 1)
        must((times[i] ?? 0) <= (times[i - 1] ?? 0) + CLOCK_SKEW_MS, reply, 'an older one comes before a newer one');
    }),
    check('past the end is 200, empty, with the true total', async (api) => {
      const [first, past] = [await list(api, '?limit=1'), await list(api, '?page=999999999&limit=100')];
      same([past.data, past.total], [[], first.total], past.reply, 'data and total');
    }),
    check('category filters, and its total is the count of the category', async (api) => {
      const filled = (await categories(api)).filter((category) => category.automation_count > 0);
      for (const { id, automation_count } of filled.slice(0, 5)) {
        const { total, data, reply } = await list(api, `?category=${id}&limit=3`);
        same(total, automation_count, reply, 'total');
        for (const item of data)
          same(
            automationOf(await api.ask(`/automations/${item.id}`)).category_id,
            id,
            reply,
            'the category of an item',
          );
      }
    }),
    check('a category that does not exist has an empty list', async (api) => {
      const { data, total, reply } = await list(api, '?category=no-such-category-anywhere');
      same([data, total], [[], 0], reply, 'data and total');
    }),
    check('Link has first, prev, next and last as far as they exist, and keeps the filters', async (api) => {
      const { total, reply } = await list(api, '?limit=1');
      if (total < 3) throw new Skipped('this check needs three automations');
      const rels = async (page: number) => Array.from(linksOf((await list(api, `?limit=1&page=${page}`)).reply).keys());
      same(await rels(1), ['first', 'next', 'last'], reply, 'the links of the first page');
      same(await rels(2), ['first', 'prev', 'next', 'last'], reply, 'the links of the second page');
      same(await rels(total), ['first', 'prev', 'last'], reply, 'the links of the last page');
    }),
    check('following next leads to the next page', async (api) => {
      const { total, reply } = await list(api, '?limit=2');
      if (total < 3) throw new Skipped('this check needs three automations');
      const next = linksOf(reply).get('next') ?? '';
      must(/[?&]limit=2(&|$)/.test(next) && /[?&]page=2(&|$)/.test(next), reply, `the next page is ${next}`);
      const path = new URL(next, api.baseUrl).pathname;
      same(path, `${new URL(api.baseUrl).pathname.replace(/\/$/, '')}/automations`, reply, 'the path of the next page');
    }),
  ],
};
