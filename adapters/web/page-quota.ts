import type { HttpMiddleware } from '../edge/context.js';
import { assertOption } from '../edge/host-options.js';
import { isLimit } from '../edge/middleware/quotas.js';
import { perNetwork, perSubject, type Networks } from '../edge/middleware/rate-limits.js';

export const PAGES_PER_MINUTE = 300;
/** One in this number of requests of a visitor may begin a sign-in at `/oauth`, which stores up to 2 KB for an hour. */
const REQUESTS_FOR_EACH_STORED = 5;

/** The options for the number of pages. */
export interface PageQuotaOptions {
  /**
   * Pages, feeds, sitemaps, documents and unknown paths a minute: for each account that is signed in to panel or
   * catalogue, and for each address of other visitors, ten times as many for a shared one. A `PageQuota` counts
   * together what several applications serve. Default: 300.
   */
  readonly pageRateLimit?: number | 'off' | PageQuota | undefined;
}

/** The pages that each visitor gets in a minute, over all applications of this process that have it. */
export class PageQuota {
  readonly #ofAccounts: ReturnType<typeof perSubject>;
  readonly #ofNetworks: ReturnType<typeof perNetwork>;
  readonly #ofStored: ReturnType<typeof perNetwork>;

  /** @throws TypeError when there is no such limit. */
  constructor(limit: number | 'off' = PAGES_PER_MINUTE) {
    assertOption(isLimit(limit), 'pageRateLimit must be an integer above 0, off, or a PageQuota');
    this.#ofAccounts = perSubject('pages', limit);
    this.#ofNetworks = perNetwork('pages', limit);
    this.#ofStored = perNetwork(
      'stored-requests',
      limit === 'off' ? limit : Math.ceil(limit / REQUESTS_FOR_EACH_STORED),
    );
  }

  /** Returns the quota that the option means. @internal */
  static of({ pageRateLimit }: PageQuotaOptions): PageQuota {
    return pageRateLimit instanceof PageQuota ? pageRateLimit : new PageQuota(pageRateLimit);
  }

  /** Counts each request, for the account that is signed in, else for the network of the address. @internal */
  perVisitor(networks: Networks): HttpMiddleware {
    const ofNetwork = this.#ofNetworks(networks);
    const limitPages: HttpMiddleware = async (ctx, next) => {
      const account = ctx.state.signedIn?.account.id;
      await (account === undefined ? ofNetwork(ctx) : this.#ofAccounts(ctx, account));
      await next();
    };
    return limitPages;
  }

  /** Counts each request that stores something for a stranger, for the network of the address. @internal */
  ofStored(networks: Networks): HttpMiddleware {
    const ofNetwork = this.#ofStored(networks);
    const limitStored: HttpMiddleware = async (ctx, next) => {
      await ofNetwork(ctx);
      await next();
    };
    return limitStored;
  }
}
