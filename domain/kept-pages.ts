import { BimodalCache } from './bimodal-cache.js';
import type { AutomationPage, AutomationQuery } from './ports.js';

/** Enough for those that are asked for again and again. */
const MOST_PAGES = 1_000;

/**
 * The pages that were read in the present state of a store. While that lasts the same query gets the very same page, which also tells whoever has made
 * something of it that nothing has changed. They are frozen, so that they can be handed out more than once; a page that is not kept is not.
 */
export class KeptPages {
  readonly #pages = new BimodalCache<AutomationPage>(MOST_PAGES);
  #state: number | string = '';

  find(state: number | string, query: AutomationQuery): AutomationPage | undefined {
    return state === this.#state ? this.#pages.get(nameOf(query)) : undefined;
  }

  /** Keeps what was read in this state, unless there is no room for it. */
  keep(state: number | string, query: AutomationQuery, page: AutomationPage): AutomationPage {
    if (state !== this.#state) this.#pages.clear();
    this.#state = state;
    return this.#pages.keep(nameOf(query), () => frozen(page)) ?? page;
  }
}

function nameOf({ page, category = '' }: { readonly page: AutomationQuery['page']; readonly category?: string }): string {
  return `${page.number} ${page.limit} ${category}`;
}

function frozen({ items, total }: AutomationPage): AutomationPage {
  for (const { price } of items) Object.freeze(price);
  return Object.freeze({ items: Object.freeze(items.map((item) => Object.freeze(item))), total });
}
