import { existsSync } from 'node:fs';
import { chromium, type Browser, type BrowserContext, type BrowserContextOptions } from 'playwright-core';
import { notRun } from './not-run.js';

const HOW = 'browser; set CHROMIUM_PATH, or install the package chromium of your distribution';

function chromiumPath(): string | undefined {
  const path = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium';
  return existsSync(path) ? path : undefined;
}

/** A suite in a real browser. Without one it is pending, by one line, unless REQUIRE_BROWSER=1 makes that a failure. */
export function describeInBrowser(title: string, suite: (browser: TestBrowser) => void): void {
  if (chromiumPath() !== undefined) describe(title, () => withBrowser(suite));
  else if (process.env['REQUIRE_BROWSER'] === '1')
    it(title, () => {
      throw new Error(HOW);
    });
  else it(notRun(title, HOW));
}

function withBrowser(suite: (browser: TestBrowser) => void): void {
  const browser = new TestBrowser();
  before(async () => {
    await browser.open();
  });
  afterEach(() => browser.clear());
  after(() => browser.close());
  suite(browser);
}

/** One browser for a suite, and a fresh profile for each who asks. */
export class TestBrowser {
  #browser: Browser | undefined;
  readonly #contexts: BrowserContext[] = [];

  async open(): Promise<void> {
    // A page of this host did not come over TLS nor from this machine: such a page lacks parts of the platform.
    const lan = '--host-resolver-rules=MAP market.lan 127.0.0.1';
    const args = ['--no-sandbox', '--disable-background-networking', lan];
    const options = { executablePath: chromiumPath() ?? '', args, ignoreDefaultArgs: ['--disable-back-forward-cache'] };
    this.#browser = await chromium.launch(options);
  }

  async profile(options: BrowserContextOptions = {}): Promise<BrowserContext> {
    if (this.#browser === undefined) throw new Error('the browser is not open');
    const context = await this.#browser.newContext({
      locale: 'en-GB',
      timezoneId: 'UTC',
      ignoreHTTPSErrors: true,
      ...options,
    });
    this.#contexts.push(context);
    return context;
  }

  async clear(): Promise<void> {
    await Promise.all(this.#contexts.splice(0).map((context) => context.close()));
  }

  async close(): Promise<void> {
    await this.clear();
    await this.#browser?.close();
  }
}
