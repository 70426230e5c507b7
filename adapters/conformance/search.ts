import { rankOf, searchTerms } from '../../domain/search-terms.js';
import { indexedText, wordsOf } from '../../domain/words.js';
import type { AutomationSummary } from '../client/index.js';
import type { Api } from './api.js';
import { check, must, same, Skipped, type Check, type Group } from './check.js';
import { automationOf, categories, linksOf, list, type List } from './shapes.js';

/** Occurs in no text. */
const NONSENSE = 'qzxjvkwq';

/** Runs work that compares lists, unless something was created or withdrawn at the same time. */
async function undisturbed(api: Api, work: () => Promise<void>): Promise<void> {
  const before = await list(api, '?limit=100');
  try {
    await work();
  } catch (error) {
    const after = await list(api, '?limit=100');
    if (after.reply.body === before.reply.body) throw error;
    throw new Skipped('automations are created, revised or withdrawn at the same time');
  }
}

/** Returns an automation on sale whose title has a word of five letters or more, and that word. */
async function knownWord(api: Api): Promise<{ readonly item: AutomationSummary; readonly word: string }> {
  if ((await api.ask('/automations?q=a')).status === 400) throw new Skipped('this server finds nothing by words');
  for (const item of (await list(api, '?limit=100')).data) {
    const word = wordsOf(item.title).find((candidate) => /^[a-z]{5,64}$/.test(candidate));
    if (word !== undefined) return { item, word };
  }
  throw new Skipped('no title among the newest 100 has an English word');
}

function ids({ data }: List): readonly string[] {
  return data.map(({ id }) => id);
}

const prices: readonly Check[] = [
  check('sort=price has the lowest price first, and equal prices newest first', (api) =>
    undisturbed(api, async () => {
      const [sorted, newest] = [await list(api, '?sort=price&limit=100'), await list(api, '?limit=100')];
      same(sorted.total, newest.total, sorted.reply, 'total');
      const places = new Map(ids(newest).map((id, place) => [id, place]));
      const order = (one: AutomationSummary, other: AutomationSummary) =>
        one.price - other.price || (places.get(one.id) ?? 0) - (places.get(other.id) ?? 0);
      const expected = newest.total <= 100 ? [...newest.data].sort(order) : sorted.data;
      same(
        ids(sorted),
        expected.map(({ id }) => id),
        sorted.reply,
        'the order',
      );
      const values = sorted.data.map(({ price }) => price);
      same(
        values,
        [...values].sort((one, other) => one - other),
        sorted.reply,
        'the order of the prices',
      );
    }),
  ),
  check('sort=-price is the exact reverse of sort=price, and sort=newest is the usual order', (api) =>
    undisturbed(api, async () => {
      const { total, reply } = await list(api, '?sort=price&limit=1');
      if (total === 0) throw new Skipped('nothing is on sale');
      const pages = Math.ceil(total / 100);
      const lowest = [await list(api, `?sort=price&limit=100&page=${pages}`)];
      if (total > 100) lowest.unshift(await list(api, `?sort=price&limit=100&page=${pages - 1}`));
      const highest = await list(api, '?sort=-price&limit=100');
      same(ids(highest), lowest.flatMap(ids).reverse().slice(0, 100), reply, 'the reverse order');
      same(ids(await list(api, '?sort=newest')), ids(await list(api)), reply, 'the usual order');
    }),
  ),
  check('price_min and price_max include both ends, and combine with category', (api) =>
    undisturbed(api, async () => {
      const [item] = (await list(api, '?limit=1')).data;
      if (item === undefined) throw new Skipped('nothing is on sale');
      const { price, id } = item;
      const exact = await list(api, `?price_min=${price}&price_max=${price}&limit=100`);
      must(ids(exact).includes(id), exact.reply, 'the newest automation is not among those of its price');
      must(
        exact.data.every((one) => one.price === price),
        exact.reply,
        'an item has another price',
      );
      const sums = (await categories(api)).map(
        async (one) => (await list(api, `?category=${one.id}&price_min=${price}&price_max=${price}&limit=1`)).total,
      );
      const sum = (await Promise.all(sums)).reduce((all, count) => all + count, 0);
      same(sum, exact.total, exact.reply, 'the sum of the totals of all categories');
      for (const query of [`?price_min=${price}&limit=100`, `?price_max=${price}&limit=100`]) {
        const { data, reply } = await list(api, query);
        const isMin = query.startsWith('?price_min');
        must(
          data.every((one) => (isMin ? one.price >= price : one.price <= price)),
          reply,
          'a price is out of range',
        );
      }
    }),
  ),
  check('Link keeps order and prices', async (api) => {
    const { total, reply } = await list(api, '?sort=-price&price_min=0&limit=1');
    if (total < 2) throw new Skipped('this check needs two automations');
    const next = new URL(linksOf(reply).get('next') ?? '', api.baseUrl).searchParams;
    same([next.get('sort'), next.get('price_min')], ['-price', '0'], reply, 'sort and price_min of the next page');
  }),
];

const words: readonly Check[] = [
  check('q finds an automation by a word of its title, whatever its case, and by its beginning', async (api) => {
    const { item, word } = await knownWord(api);
    const queries = [word, word.toUpperCase(), word.slice(0, -1), `${word}%20`, `!${word}%20`];
    for (const q of queries) {
      const { data, total, reply } = await list(api, `?q=${q}&limit=100`);
      must(total > 100 || data.some(({ id }) => id === item.id), reply, `${item.id} is not found`);
    }
  }),
  check('every word must occur, in title or description', async (api) => {
    const { word } = await knownWord(api);
    const found = await list(api, `?q=${word}%20a&limit=5`);
    for (const { id } of found.data) {
      const { title, description } = automationOf(await api.ask(`/automations/${id}`));
      const all = [...wordsOf(title), ...wordsOf(description)];
      const isMatch = all.includes(word) && all.some((one) => one.startsWith('a'));
      must(isMatch, found.reply, `${id} does not have the words ${word} and a…`);
    }
    for (const q of [`${word}%20${NONSENSE}`, `${NONSENSE}%20${word}`]) {
      const { data, total, reply } = await list(api, `?q=${q}`);
      same([data, total], [[], 0], reply, 'data and total');
    }
  }),
  check('the total of q is the number found on all pages, and the sum of all categories', (api) =>
    undisturbed(api, async () => {
      const { word } = await knownWord(api);
      const first = await list(api, `?q=${word}&limit=20`);
      const pages = Array.from({ length: Math.min(10, Math.ceil(first.total / 20)) }, (_, index) => index + 1);
      const found: string[] = [];
      for (const page of pages) found.push(...ids(await list(api, `?q=${word}&limit=20&page=${page}`)));
      same(new Set(found).size, Math.min(first.total, 200), first.reply, 'the number of different automations');
      const totals = await Promise.all(
        (await categories(api)).map(async (one) => (await list(api, `?q=${word}&category=${one.id}&limit=1`)).total),
      );
      const sum = totals.reduce((all, count) => all + count, 0);
      same(sum, first.total, first.reply, 'the sum of the totals of all categories');
    }),
  ),
  check('sort=best has first titles that are the search, then those with its words, then with its beginning', (api) =>
    undisturbed(api, async () => {
      const { word } = await knownWord(api);
      const terms = searchTerms(word);
      const rank = ({ title }: AutomationSummary) => rankOf(indexedText({ title, description: '' }), terms);
      const best = await list(api, `?q=${word}&sort=best&limit=100`);
      const ranks = best.data.map(rank);
      const isOrdered = ranks.every((one, place) => one >= (ranks[place - 1] ?? 0));
      must(isOrdered, best.reply, 'a title that matches better comes after one that matches less');
      const newest = await list(api, `?q=${word}&limit=100`);
      if (newest.total > 100) return;
      const expected = newest.data.toSorted((one, other) => rank(one) - rank(other));
      same(
        ids(best),
        expected.map(({ id }) => id),
        best.reply,
        'the order',
      );
    }),
  ),
  check('Link keeps the words', async (api) => {
    const { word } = await knownWord(api);
    const { reply } = await list(api, `?q=${word}%20a&limit=1`);
    const first = new URL(linksOf(reply).get('first') ?? '', api.baseUrl).searchParams;
    same(first.get('q'), `${word} a`, reply, 'q of the first page');
  }),
];

export const search: Group = { name: 'Search, order and price', checks: [...prices, ...words] };
