import { networkOf } from '../../../domain/address.js';
import type { Context, HttpMiddleware } from '../context.js';
import { assertOption } from '../host-options.js';
import { isLimit } from './quotas.js';
import { perSubject } from './rate-limits.js';

export const PAGES_PER_MINUTE = 300;

/** The options for the number of pages. */
export interface PageQuotaOptions {
  /**
   * Pages, feeds, sitemaps, documents and unknown paths a minute: for each account that is signed in to panel or
   * catalogue, and for each address of other visitors. A `PageQuota` counts together what several applications serve.
   * Default: 300.
   */
  readonly pageRateLimit?: number | 'off' | PageQuota | undefined;
}

/** The pages that each visitor gets in a minute, over all applications of this process that have it. */
export class PageQuota {
  readonly #count: (ctx: Context, visitor: string) => Promise<void>;

  /** @throws TypeError when there is no such limit. */
  constructor(limit: number | 'off' = PAGES_PER_MINUTE) {
    assertOption(isLimit(limit), 'pageRateLimit must be an integer above 0, off, or a PageQuota');
    this.#count = perSubject('pages', limit);
  }

  /** Returns the quota that the option means. @hidden */
  static of({ pageRateLimit }: PageQuotaOptions): PageQuota {
    return pageRateLimit instanceof PageQuota ? pageRateLimit : new PageQuota(pageRateLimit);
  }

  /** Counts each request, for the account that is signed in, else for the network of the address. @hidden */
  perVisitor(addressOf: (ctx: Context) => string): HttpMiddleware {
    const limitPages: HttpMiddleware = async (ctx, next) => {
      const account = ctx.state.signedIn?.account.id;
      await this.#count(ctx, account === undefined ? `network ${networkOf(addressOf(ctx))}` : `account ${account}`);
      await next();
    };
    return limitPages;
  }
}
