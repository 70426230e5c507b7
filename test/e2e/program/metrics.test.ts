import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { InMemoryCategoryRepository } from '../../../adapters/in-memory/index.js';
import { Metrics } from '../../../composition/service/metrics.js';
import type { CategoryId } from '../../../domain/category.js';
import { DomainError } from '../../../domain/errors.js';
import { preloaded, startProcess, UNBUNDLED, Workplace, type ServiceProcess } from '../../support/process.js';
import { TEST_CATEGORIES } from '../../support/storages.js';
import { Client, draft } from '../../support/service/client.js';

const TOKEN = 'canary-of-the-metrics';
const PAGE = readFileSync(new URL('../../../../docs/metrics.md', import.meta.url), 'utf8');

describe('A repository in the metrics', () => {
  it('is counted by what became of its calls', async () => {
    const metrics = new Metrics();
    const outcomes = [
      undefined,
      new DomainError('unavailable', 'store-unavailable', 'away'),
      new DomainError('conflict', 'duplicate-id', 'taken'),
      new Error('defect'),
    ];
    class Repository {
      async find(n: number): Promise<number> {
        if (outcomes[n] !== undefined) throw outcomes[n];
        return n;
      }
    }
    const counted = metrics.counted(new Repository(), 'things');
    expect(await counted.find(0)).to.equal(0);
    for (const n of [1, 2, 3]) expect(await counted.find(n).catch((error: unknown) => error)).to.equal(outcomes[n]);
    const { body } = await metrics.text();
    for (const outcome of ['ok', 'unavailable', 'conflict', 'failed'])
      expect(body).to.include(
        `marketplace_repository_calls_total{repository="things",call="find",outcome="${outcome}"} 1\n`,
      );
  });

  /** Returns the calls of these repositories that were counted, by name. */
  async function callsOf(metrics: Metrics): Promise<readonly string[]> {
    const { body } = await metrics.text();
    return Array.from(body.matchAll(/marketplace_repository_calls_total{.*call="([^"]*)"/g), ([, call = '']) => call);
  }

  it('may inherit its methods and have private members', async () => {
    class Mine extends InMemoryCategoryRepository {}
    const metrics = new Metrics();
    const counted = metrics.counted(new Mine(TEST_CATEGORIES), 'categories');
    expect((await counted.find('communication' as CategoryId))?.name).to.equal('Communication & Messaging');
    expect(await counted.list()).to.have.length(TEST_CATEGORIES.length);
    expect(await callsOf(metrics)).to.deep.equal(['find', 'list']);
  });

  it('may be a plain object, with members that are no methods', async () => {
    const repository = { name: 'mine', find: async (id: string) => id, [Symbol.toStringTag]: 'Mine' };
    const metrics = new Metrics();
    const counted = metrics.counted(repository, 'things');
    expect([counted.name, await counted.find('x')]).to.deep.equal(['mine', 'x']);
    expect(Object.prototype.toString.call(counted)).to.equal('[object Mine]');
    expect(await callsOf(metrics)).to.deep.equal(['find']);
  });
});

describe('The text of the metrics', () => {
  it('is made once for all who ask at the same time, and kept', async () => {
    let made = 0;
    const metrics = new Metrics();
    metrics.observeAutomations(async () => {
      made += 1;
      return new Map();
    });
    const texts = await Promise.all(Array.from({ length: 30 }, () => metrics.text()));
    expect([made, new Set([...texts, await metrics.text()]).size]).to.deep.equal([1, 1]);
  });
});

describe('The metrics of the service', () => {
  let service: ServiceProcess;
  let text: string;
  const scrape = (authorization?: string) =>
    fetch(`${service.url}/metrics`, { headers: { ...(authorization !== undefined && { authorization }) } });
  const valueOf = (sample: string) =>
    Number(
      text
        .split('\n')
        .find((line) => line.startsWith(`${sample} `))
        ?.split(' ')[1],
    );

  before(async () => {
    service = await startProcess({ STORAGE: 'memory', METRICS_TOKEN: TOKEN, RATE_LIMIT_READS: '5' });
    const client = new Client(service.url, service.firstKey);
    for (let n = 0; n < 7; n += 1) await client.get('/automations');
    await client.get('/nothing/here');
    await client.post({});
    await client.post(draft(1, { category_id: 'uncategorized' }));
    await new Client(service.url).get('/automations');
    client.close();
    // A process that has not collected garbage yet has nothing to tell of it.
    do text = await (await scrape(`Bearer ${TOKEN}`)).text();
    while (!text.includes('nodejs_gc_duration_seconds_sum'));
  });
  after(() => service.kill());

  it('are for those who show the token', async () => {
    expect((await scrape(`Bearer ${TOKEN}`)).headers.get('content-type')).to.match(/^text\/plain; version=0\.0\.4/);
    for (const [shown, status] of [
      [undefined, 401],
      ['Bearer wrong', 401],
      [`Basic ${TOKEN}`, 401],
      [`bearer ${TOKEN}`, 200],
    ] as const)
      expect((await scrape(shown)).status, String(shown)).to.equal(status);
    expect([...service.stdout, ...service.stderr].join('\n')).not.to.include(TOKEN);
  });

  it('count requests by the template of their route and by status', () => {
    expect(valueOf('marketplace_http_requests_total{method="GET",route="/automations",status="200"}')).to.equal(5);
    expect(
      valueOf('marketplace_http_requests_total{method="GET",route="/automations",status="429"}'),
    ).to.be.greaterThan(1);
    expect(valueOf('marketplace_http_requests_total{method="GET",route="/automations",status="401"}')).to.equal(1);
    expect(valueOf('marketplace_http_requests_total{method="POST",route="/automations",status="422"}')).to.equal(1);
    expect(valueOf('marketplace_http_requests_limited_total')).to.be.greaterThan(1);
    expect(text).not.to.match(/nothing\/here|amk_/);
  });

  it('count the calls of the storage and the automations on sale', () => {
    expect(valueOf('marketplace_repository_calls_total{repository="automations",call="list",outcome="ok"}')).to.equal(
      5,
    );
    for (const [repository, call] of [
      ['automations', 'add'],
      ['categories', 'find'],
      ['api-keys', 'findByHash'],
    ] as const)
      expect(
        valueOf(`marketplace_repository_calls_total{repository="${repository}",call="${call}",outcome="ok"}`),
        repository,
      ).to.be.greaterThan(0);
    expect(valueOf('marketplace_automations_on_sale{category="uncategorized"}')).to.equal(1);
    expect(valueOf('marketplace_http_requests_in_flight')).to.equal(0);
  });

  it('are those of the page about them, all of them', () => {
    const named = new Set(Array.from(PAGE.matchAll(/^\| `(marketplace_\w+)` \|/gm), ([, name]) => name));
    const published = new Set(Array.from(text.matchAll(/^# TYPE (marketplace_\w+) /gm), ([, name]) => name));
    expect([...named].sort()).to.deep.equal([...published].sort());
    for (const [, name] of PAGE.matchAll(/`((?:process|nodejs)_\w+)`/g))
      expect(text, name).to.match(new RegExp(`^${String(name)}(_sum)?[ {]`, 'm'));
    expect(Array.from(PAGE.matchAll(/- alert: /g))).to.have.length(5);
    for (const [, name = ''] of PAGE.matchAll(/(marketplace_\w+?)(?:_bucket)?[{[]/g))
      expect(published, name).to.include(name);
  });
});

const moduleAt = (path: string) => JSON.stringify(new URL(`../../../adapters/edge/${path}`, import.meta.url).href);
/** Makes the service refuse every request that its overload protection sees. */
const SHEDDING = [
  `import {Overload as O} from ${moduleAt('middleware/overload.js')}`,
  `import {Problem as P} from ${moduleAt('problems/problem.js')}`,
  'O.prototype.forAll=()=>()=>{throw new P("overloaded","busy")}',
].join(';');

describe('Requests that were shed', () => {
  it('are counted, also those to the panel, and have a line of the log; probes are answered', async () => {
    const place = await Workplace.open({ STORAGE: 'memory' });
    const service = await place.serve(preloaded(SHEDDING), UNBUNDLED);
    for (const path of ['/api/categories', '/docs', '/panel']) {
      const { status, headers } = await fetch(`${service.url}${path}`);
      expect([status, headers.get('retry-after')], path).to.deep.equal([503, '1']);
    }
    for (const path of ['/livez', '/readyz']) expect((await fetch(`${service.url}${path}`)).status, path).to.equal(200);
    const text = await (await fetch(`${service.url}/metrics`)).text();
    await service.stop();
    expect(text).to.include('\nmarketplace_http_requests_shed_total 3\n');
    expect(text).to.include('\nmarketplace_http_requests_total{method="GET",route="unknown",status="503"} 3\n');
    expect(text).not.to.match(/request_duration_seconds_count{method="GET",route="unknown"}/);
    const lines = service.logged().map((line) => JSON.parse(line) as Record<string, unknown>);
    const shed = lines.filter(({ status }) => status === 503).map(({ level, msg, problem }) => [level, msg, problem]);
    expect(shed).to.deep.equal(Array(3).fill([30, 'request', 'overloaded']));
    await place.clear();
  });
});
