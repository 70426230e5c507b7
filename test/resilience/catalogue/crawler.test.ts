import { expect } from 'chai';
import { setTimeout } from 'node:timers/promises';
import { startShop, type Shop } from '../../integration/catalogue/stage.js';

const CATEGORIES = ['communication-and-messaging', 'uncategorized', 'ai-agent-development'];
const MAX_REQUESTS = 3_000;

/** Returns whether a path may be read: of the rules that match, the longest counts (RFC 9309, section 2.2.2). */
function mayRead(robots: string, path: string): boolean {
  const rules = Array.from(robots.matchAll(/^(Allow|Disallow): (\S+)$/gm), ([, kind, rule = '']) => ({ kind, rule }));
  const pattern = (rule: string) => new RegExp(`^${rule.replace(/[.?+^()[\]{}|\\]/g, '\\$&').replaceAll('*', '.*')}`);
  const matching = rules.filter(({ rule }) => pattern(rule).test(path));
  matching.sort((one, other) => other.rule.length - one.rule.length || (one.kind === 'Allow' ? -1 : 1));
  return matching[0]?.kind !== 'Disallow';
}

function linksIn(body: string, from: string): readonly string[] {
  const links = [...body.matchAll(/<a [^>]*href="([^"]*)"/g), ...body.matchAll(/<loc>([^<]*)<\/loc>/g)];
  return links.map(([, link = '']) => new URL(link.replaceAll('&amp;', '&'), from).href);
}

describe('A crawler in a public catalogue of 500', () => {
  let shop: Shop;
  afterEach(() => shop.close());

  it('follows each link that robots.txt allows, waits when told to, finds no error and no loop', async function () {
    this.timeout(240_000);
    shop = await startShop({ RATE_LIMIT_PAGES: '400' });
    const ids: string[] = [];
    for (let n = 0; n < 500; n += 1) {
      const description = `Part **${n}**, see [its page](https://elsewhere.example/${n}).`;
      ids.push(
        await shop.offer(
          { title: `Automation ${n}`, description, categoryId: CATEGORIES[n % 3] ?? '' },
          `developer-${n % 7}`,
        ),
      );
    }
    const robots = (await shop.get('/robots.txt')).body;
    const sitemap = /^Sitemap: (\S+)$/m.exec(robots)?.[1] ?? '';
    const [queue, seen] = [[`${shop.url}/`, sitemap], new Set<string>()];
    const findings: string[] = [];
    let waits = 0;
    for (let address = queue.shift(); address !== undefined; address = queue.shift()) {
      const { origin, pathname, search } = new URL(address);
      if (origin !== shop.url || seen.has(pathname + search) || !mayRead(robots, pathname + search)) continue;
      seen.add(pathname + search);
      if (seen.size > MAX_REQUESTS) break;
      let answer = await fetch(address, { redirect: 'manual' });
      while (answer.status === 429) {
        waits += 1;
        await setTimeout(Number(answer.headers.get('retry-after')) * 1_000);
        answer = await fetch(address, { redirect: 'manual' });
      }
      if (answer.status >= 400) findings.push(`${answer.status} ${pathname}${search}`);
      queue.push(...linksIn(await answer.text(), address), ...linksOf(answer, address));
    }
    expect(findings).to.deep.equal([]);
    expect(seen.size).to.be.below(MAX_REQUESTS);
    expect(waits).to.be.above(0);
    for (const id of ids) expect(seen.has(`/catalogue/${id}`), id).to.equal(true);
    for (const path of [
      '/catalogue?page=21',
      '/catalogue?category=uncategorized&page=7',
      '/catalogue/developers/developer-6?page=3',
    ])
      expect(seen.has(path), path).to.equal(true);
    expect([...seen].filter((path) => /[?&](q|sort|free|price_m..)=/.test(path))).to.deep.equal([]);
  });
});

function linksOf(answer: Response, from: string): readonly string[] {
  const location = answer.headers.get('location');
  return location === null ? [] : [new URL(location, from).href];
}
