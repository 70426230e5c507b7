import { networkOf, SHARED_FACTOR } from '../../domain/address.js';
import { Quota, type Standing } from '../edge/middleware/quotas.js';

const HOUR_SECONDS = 3_600;
const PER_ACCOUNT = 20;
const PER_BROWSER = 5;
const PER_NETWORK = 50;

/** Who reports: an account, or a browser in a network. */
export type Reporter = { readonly account: string } | { readonly browser: string; readonly address: string };

/** The reports of an hour: of an account, of a browser, and of a network, ten times as many of a shared one. */
export class ReportLimits {
  readonly #ofAccounts = new Quota('reports', PER_ACCOUNT, HOUR_SECONDS);
  readonly #ofBrowsers = new Quota('reports', PER_BROWSER, HOUR_SECONDS);
  readonly #ofNetworks = new Quota('reports', PER_NETWORK, HOUR_SECONDS);
  readonly #ofShared = new Quota('reports', PER_NETWORK * SHARED_FACTOR, HOUR_SECONDS);

  constructor(private readonly isSharedNetwork: (address: string) => boolean) {}

  /**
   * Counts one more report; one that a browser may not send does not count for its network. When it is too much,
   * returns the headers that say so, and the seconds to wait.
   */
  async take(
    reporter: Reporter,
  ): Promise<{ readonly headers: Record<string, string>; readonly seconds: number } | undefined> {
    if ('account' in reporter) return refusalOf(this.#ofAccounts, await this.#ofAccounts.take(reporter.account));
    const { browser, address } = reporter;
    const ofNetwork = this.isSharedNetwork(address) ? this.#ofShared : this.#ofNetworks;
    const refusal = refusalOf(this.#ofBrowsers, await this.#ofBrowsers.take(browser));
    return refusal ?? refusalOf(ofNetwork, await ofNetwork.take(networkOf(address)));
  }
}

function refusalOf(quota: Quota, standing: Standing) {
  if (!standing.exceeded) return undefined;
  const seconds = standing.resetSeconds;
  return { headers: { ...quota.headers(standing), 'Retry-After': String(seconds) }, seconds };
}
