import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { Metrics } from '../../composition/metrics.js';
import { DomainError } from '../../domain/errors.js';
import { startProcess, type ServiceProcess } from '../support/process.js';
import { Client } from '../service/client.js';

const TOKEN = 'canary-of-the-metrics';
const PAGE = readFileSync(new URL('../../../docs/metrics.md', import.meta.url), 'utf8');

describe('A measured repository', () => {
  it('is counted by what became of its calls', async () => {
    const metrics = new Metrics({ underWay: () => 0, automationsOnSale: async () => new Map() });
    const outcomes = [undefined, new DomainError('unavailable', 'away', 'away'), new DomainError('conflict', 'taken', 'taken'), new Error('defect')];
    class Repository {
      async find(n: number): Promise<number> {
        if (outcomes[n] !== undefined) throw outcomes[n];
        return n;
      }
    }
    const measured = metrics.measured(new Repository(), 'things');
    expect(await measured.find(0)).to.equal(0);
    for (const n of [1, 2, 3]) expect(await measured.find(n).catch((error: unknown) => error)).to.equal(outcomes[n]);
    const { body } = await metrics.text();
    for (const outcome of ['ok', 'unavailable', 'conflict', 'failed'])
      expect(body).to.include(`marketplace_repository_calls_total{repository="things",call="find",outcome="${outcome}"} 1\n`);
  });
});

describe('The metrics', function () {
  this.timeout(30_000);
  let service: ServiceProcess;
  let text: string;
  const scrape = (authorization?: string) =>
    fetch(`${service.url}/metrics`, { headers: { ...(authorization !== undefined && { authorization }) } });
  const valueOf = (sample: string) => Number(text.split('\n').find((line) => line.startsWith(`${sample} `))?.split(' ')[1]);

  before(async () => {
    service = await startProcess({ STORAGE: 'memory', METRICS_TOKEN: TOKEN, RATE_LIMIT_READS: '5' });
    const client = new Client(service.url, service.firstKey);
    for (let n = 0; n < 7; n += 1) await client.get('/automations');
    await client.get('/nothing/here');
    await client.post({});
    await new Client(service.url).get('/automations');
    client.close();
    // A process that has not collected garbage yet has nothing to tell of it.
    do text = await (await scrape(`Bearer ${TOKEN}`)).text();
    while (!text.includes('nodejs_gc_duration_seconds_sum'));
  });
  after(() => service.kill());

  it('are for those who show the token', async () => {
    expect((await scrape(`Bearer ${TOKEN}`)).headers.get('content-type')).to.match(/^text\/plain; version=0\.0\.4/);
    for (const [shown, status] of [[undefined, 401], ['Bearer wrong', 401], [`Basic ${TOKEN}`, 401], [`bearer ${TOKEN}`, 200]] as const)
      expect((await scrape(shown)).status, String(shown)).to.equal(status);
    expect([...service.stdout, ...service.stderr].join('\n')).not.to.include(TOKEN);
  });

  it('count requests by the template of their route and by status', () => {
    expect(valueOf('marketplace_http_requests_total{method="GET",route="/automations",status="200"}')).to.equal(5);
    expect(valueOf('marketplace_http_requests_total{method="GET",route="",status="429"}')).to.be.greaterThan(1);
    expect(valueOf('marketplace_http_requests_total{method="GET",route="",status="401"}')).to.equal(1);
    expect(valueOf('marketplace_http_requests_total{method="POST",route="/automations",status="422"}')).to.equal(1);
    expect(valueOf('marketplace_http_requests_limited_total')).to.be.greaterThan(1);
    expect(text).not.to.match(/nothing\/here|amk_/);
  });

  it('count the calls of the storage and the automations on sale', () => {
    expect(valueOf('marketplace_repository_calls_total{repository="automations",call="list",outcome="ok"}')).to.equal(5);
    expect(valueOf('marketplace_http_requests_in_flight')).to.equal(0);
  });

  it('are those of the page about them, all of them', () => {
    const named = new Set(Array.from(PAGE.matchAll(/^\| `(marketplace_\w+)` \|/gm), ([, name]) => name));
    const published = new Set(Array.from(text.matchAll(/^# TYPE (marketplace_\w+) /gm), ([, name]) => name));
    expect([...named].sort()).to.deep.equal([...published].sort());
    for (const [, name] of PAGE.matchAll(/`((?:process|nodejs)_\w+)`/g)) expect(text, name).to.match(new RegExp(`^${String(name)}(_sum)?[ {]`, 'm'));
    expect(Array.from(PAGE.matchAll(/- alert: /g))).to.have.length(5);
    for (const [, name = ''] of PAGE.matchAll(/(marketplace_\w+?)(?:_bucket)?[{[]/g)) expect(published, name).to.include(name);
  });
});
