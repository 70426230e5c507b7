import { expect } from 'chai';
import { parseDeveloperId, SCOPES, type Caller } from '../../../application/index.js';
import { Load } from '../../support/service/load.js';
import type { TestService } from '../../support/service.js';
import { ask, offer } from './hostile/ask.js';
import { DRAFT } from './hostile/row.js';

const CALLER: Caller = { developerId: parseDeveloperId('ada'), scopes: SCOPES };

interface ListJson {
  readonly data: readonly { readonly id: string }[];
  readonly total: number;
  readonly page: number;
}

/** A list whose order is known, since all that is on it was added one after the other. */
export class KnownList {
  /** Newest first. */
  readonly ids: string[] = [];
  readonly idsOf: Record<string, string[]> = { 'ai-agents': [], communication: [], 'data-processing': [] };

  constructor(
    private readonly service: TestService,
    private readonly key: string,
  ) {}

  /** By the clock of the test's own marketplace. */
  async fill(count: number): Promise<void> {
    for (let n = 0; n < count; n += 1) {
      const categoryId = n % 5 === 0 ? 'communication' : 'ai-agents';
      const { id } = await this.service.marketplace.createAutomation(CALLER, {
        title: `No. ${n}`,
        description: 'd',
        price: 1,
        categoryId,
      });
      this.#note(id, categoryId);
    }
  }

  async list(query: string): Promise<ListJson> {
    return JSON.parse((await ask(`${this.service.url}/api/automations?${query}`, { key: this.key })).body) as ListJson;
  }

  /** The law of the envelope, and which automations are on the page. */
  async checkPage(expected: readonly string[], page: number, limit: number, filter = ''): Promise<void> {
    const { data, ...rest } = await this.list(`${filter}limit=${limit}&page=${page}`);
    expect(rest).to.deep.equal({ total: expected.length, page });
    expect(data.map(({ id }) => id)).to.deep.equal(expected.slice((page - 1) * limit, page * limit));
  }

  /** All pages and one more. */
  async walk(expected: readonly string[], limit: number, filter = ''): Promise<void> {
    const pages = Math.ceil(expected.length / limit) + 1;
    for (let page = 1; page <= pages; page += 1) await this.checkPage(expected, page, limit, filter);
  }

  /**
   * Walks to the end with each of these limits while a client adds so many a second, one after the other. Answers how
   * many it added.
   */
  async walkWhileItGrows(limits: readonly number[], perSecond: number): Promise<number> {
    const known = [...this.ids];
    const all = new Set<string>();
    const growth = new Load(perSecond, () => this.#grow(), 1);
    try {
      for (const limit of limits) {
        const seen = await this.#seen(limit);
        expect(
          known.filter((id) => !seen.has(id)),
          `missed with limit ${limit}`,
        ).to.deep.equal([]);
        for (const id of seen) all.add(id);
      }
    } finally {
      await growth.stop();
    }
    expect(
      Array.from(all).filter((id) => !this.ids.includes(id)),
      'never added',
    ).to.deep.equal([]);
    return this.ids.length - known.length;
  }

  /** What is on all of the pages together. */
  async #seen(limit: number): Promise<ReadonlySet<string>> {
    const seen = new Set<string>();
    for (let page = 1, more = true; more; page += 1) {
      const { data } = await this.list(`limit=${limit}&page=${page}`);
      for (const { id } of data) seen.add(id);
      more = data.length > 0;
    }
    return seen;
  }

  async #grow(): Promise<void> {
    const created = await offer(this.service.url, this.key, DRAFT);
    this.#note((JSON.parse(created.body) as { id: string }).id, DRAFT.category_id);
  }

  #note(id: string, categoryId: string): void {
    this.ids.unshift(id);
    this.idsOf[categoryId]?.unshift(id);
  }
}
