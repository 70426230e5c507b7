import { expect } from 'chai';
import { randomInt } from 'node:crypto';
import { newCategory, parseDeveloperId, SCOPES, type Automation } from '../../../application/index.js';
import { matchesTerms, rankOf, searchTerms } from '../../../domain/search-terms.js';
import { wordsOf } from '../../../domain/words.js';
import { indexedOnce } from '../../contracts/searches.js';
import { catalogue, seeded } from '../../support/catalogue.js';
import { startService, type TestService } from '../../support/service.js';
import { fewer, STORAGES } from '../../support/storages.js';
import { call, connect } from '../mcp/agent.js';
import { ask } from './hostile/ask.js';

const AUTOMATIONS = 400;
const SEARCHES = 900;
const SORTS = ['newest', 'price', '-price', 'best'] as const;

/** The parameters of a request. */
type Wanted = Readonly<Record<string, string>>;

class RandomSearches {
  readonly #random: () => number;
  readonly #words: readonly string[];

  constructor(
    seed: number,
    private readonly newestFirst: readonly Automation[],
  ) {
    this.#random = seeded(seed);
    this.#words = newestFirst.flatMap(({ title, description }) => [...wordsOf(title), ...wordsOf(description)]);
  }

  next(): Wanted {
    const words = this.#maybe(0.8) ? Array.from({ length: 1 + this.#below(3) }, () => this.#pick(this.#words)) : [];
    const last = words.at(-1) ?? '';
    const prefix = this.#maybe(0.5)
      ? Array.from(last)
          .slice(0, 1 + this.#below(last.length))
          .join('')
      : last;
    const shouted = (word: string) => (this.#maybe(0.3) ? word.toUpperCase() : word);
    const q = [...words.slice(0, -1), prefix].map(shouted).join(this.#pick([' ', '  ', ', ', '/']));
    const [one, other] = [this.#pick(this.newestFirst), this.#pick(this.newestFirst)].map(majorUnits);
    const [lowest = 0, highest = 0] = [one, other].sort((first = 0, second = 0) => first - second);
    const sort = this.#pick(SORTS);
    const limit = 1 + this.#below(100);
    return {
      ...(q && { q }),
      ...(this.#maybe(0.8) && (q || sort !== 'best') && { sort }),
      ...(this.#maybe(0.3) && { category: this.#pick(this.newestFirst).categoryId }),
      ...(this.#maybe(0.3) && { price_min: String(lowest) }),
      ...(this.#maybe(0.3) && { price_max: String(highest) }),
      ...(this.#maybe(0.7) && { limit: String(limit), page: String(1 + this.#below(3)) }),
    };
  }

  #maybe(chance: number): boolean {
    return this.#random() < chance;
  }

  #below(count: number): number {
    return Math.floor(this.#random() * count);
  }

  #pick<Item>(items: readonly Item[]): Item {
    return items[this.#below(items.length)] as Item;
  }
}

/** Returns the parameters of a query as the arguments of the tool. */
function argumentsOf(wanted: Wanted): Record<string, unknown> {
  const numbers = ['page', 'limit', 'price_min', 'price_max'];
  return Object.fromEntries(
    Object.entries(wanted).map(([name, value]) => [name, numbers.includes(name) ? Number(value) : value]),
  );
}

function majorUnits({ price }: Automation): number {
  return price.minorUnits / 100;
}

/** Returns what the response must be, by looking at every automation. */
function expected(newestFirst: readonly Automation[], wanted: Wanted) {
  const { q, category, sort = 'newest', price_min = '0', price_max = 'Infinity', page = '1', limit = '25' } = wanted;
  const terms = q === undefined ? undefined : searchTerms(q);
  const found = newestFirst
    .filter((one) => category === undefined || one.categoryId === category)
    .filter((one) => majorUnits(one) >= Number(price_min) && majorUnits(one) <= Number(price_max))
    .filter((one) => terms === undefined || matchesTerms(indexedOnce(one), terms));
  const best = (one: Automation) => (terms === undefined ? 0 : rankOf(indexedOnce(one), terms));
  const rank = { newest: () => 0, best, price: majorUnits };
  const place = rank[sort.replace('-', '') as keyof typeof rank];
  const sorted = [...found].sort((one, other) => place(one) - place(other));
  if (sort === '-price') sorted.reverse();
  const start = (Number(page) - 1) * Number(limit);
  const data = sorted.slice(start, start + Number(limit));
  return {
    data: data.map((one) => ({ id: one.id, title: one.title, price: majorUnits(one) })),
    total: found.length,
    page: Number(page),
  };
}

for (const [storage, open] of Object.entries(STORAGES))
  describe(`Searches at random over ${storage}`, () => {
    let service: TestService;
    const newestFirst: Automation[] = [];
    before(async () => {
      const drafts = catalogue(AUTOMATIONS).map(({ title, description, price, category_id: categoryId }) => {
        return { title, description, price, categoryId };
      });
      const categories = Array.from(new Set(drafts.map(({ categoryId }) => categoryId)), (id) =>
        newCategory({ id, name: id }),
      );
      service = await startService({ repositories: open(), categories });
      const caller = { developerId: parseDeveloperId('ada'), scopes: SCOPES };
      for (const draft of drafts) newestFirst.unshift(await service.marketplace.createAutomation(caller, draft));
    });
    after(() => service.close());

    const runs = fewer(SEARCHES, storage);
    const seed = randomInt(2 ** 31);
    it(`have exactly what is there, ${runs} of them (seed ${seed})`, async () => {
      const searches = new RandomSearches(seed, newestFirst);
      const key = await service.key();
      let found = 0;
      for (let run = 0; run < runs; run += 1) {
        const wanted = searches.next();
        const target = `/api/automations?${new URLSearchParams(wanted).toString()}`;
        const { body } = await ask(`${service.url}${target}`, { key });
        const answer = JSON.parse(body) as { readonly total: number };
        expect(answer, target).to.deep.equal(expected(newestFirst, wanted));
        if (answer.total > 0) found += 1;
      }
      expect(found, 'searches that found something').to.be.above(runs / 2);
    });

    it(`have the same items and totals for agents, ${runs} of them (seed ${seed})`, async () => {
      const searches = new RandomSearches(seed, newestFirst);
      const agent = await connect(`${service.url}/mcp`, await service.key());
      for (let run = 0; run < runs; run += 1) {
        const { limit = '20', ...wanted } = searches.next();
        const small = { ...wanted, limit: String(Math.min(Number(limit), 20)) };
        const { json } = await call(agent, 'search_automations', argumentsOf(small));
        const { notice: _, ...page } = json as { readonly notice: string };
        expect(page, JSON.stringify(small)).to.deep.equal(expected(newestFirst, small));
      }
      await agent.close();
    });
  });
