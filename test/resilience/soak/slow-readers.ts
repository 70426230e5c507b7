import { setTimeout } from 'node:timers/promises';
import { Client, draft } from '../../support/service/client.js';
import { Workplace } from '../../support/process.js';
import { Findings, type Report } from '../../support/soak-report.js';
import { elsewhere } from './load/elsewhere.js';
import { slowReaders, SOCKETS } from './load/sockets.js';
import { open } from './overload.js';
import { MIB, scrape } from './scrape.js';
import { portOf } from '../../support/socket.js';

/** As long as a description may be; in HTML each character becomes six. */
const WIDEST = { title: '"'.repeat(200), description: '"'.repeat(9_990), category_id: 'uncategorized' };
const STORED = 100;

/** The longest responses, by what they are. */
const LONGEST: Readonly<Record<string, string>> = {
  feed: '/catalogue/feed.atom',
  page: '/catalogue?sort=price',
  sitemap: '/sitemap.xml',
  list: '/api/automations?limit=100',
  document: '/docs/swagger-ui-bundle.js',
};

/** I10: clients that ask for the longest responses and hardly read are cut off, and take no more than their share. */
export async function unreadResponses(count: number, seconds: number): Promise<Report> {
  const findings = new Findings();
  const heap = { NODE_OPTIONS: '--max-old-space-size=384' };
  const place = await Workplace.open({ CATALOGUE: 'public', TRUSTED_PROXY_HOPS: '1', ...heap });
  const service = await place.serve();
  const port = portOf(service);
  const key = service.firstKey;
  const client = new Client(service.url, key);
  for (let n = 0; n < STORED; n += 1) await client.post(draft(n, WIDEST));
  // The heap has the size that it has under any load.
  for (const path of Object.values(LONGEST)) for (let n = 0; n < 40; n += 1) await client.send(path);
  const sample = async (name: string) => (await scrape(service.url))(name);
  const residentMib = async () => (await sample('process_resident_memory_bytes')) / MIB;
  for (const [n, [name, path]] of Object.entries(LONGEST).entries()) {
    const headers = `X-Forwarded-For: 192.0.2.${n}\r\nAuthorization: Bearer ${key}\r\n`;
    const request = `GET ${path} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`;
    const before = await residentMib();
    const slow = elsewhere(SOCKETS, slowReaders, { port, count, request, bytesPerSecond: 500, seconds });
    const others = open({ port, asked: [{ key, path: '/api/automations' }] }, 50, seconds);
    let most = 0;
    for (let second = 0; second < seconds; second += 1) {
      await setTimeout(1_000);
      most = Math.max(most, await residentMib());
    }
    const { failed, refused, firstFailure, fineP99 } = await others;
    findings.check(failed + refused === 0, `${name}: others ${failed} failed, ${refused} refused: ${firstFailure}`);
    findings.atMost(`${name}: others p99, ms`, fineP99, 250);
    findings.atMost(`${name}: RSS, MiB more`, most - before, 100);
    const unsent = await sample('marketplace_http_unsent_bytes');
    findings.atMost(`${name}: unsent after ${seconds} s, MiB`, unsent / MIB, 0);
    await slow.result;
  }
  client.close();
  await place.clear();
  return findings;
}
