import { expect } from 'chai';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { Api } from '../../../adapters/conformance/api.js';
import { Skipped } from '../../../adapters/conformance/check.js';
import { junitReport, textReport } from '../../../adapters/conformance/report.js';
import { GROUPS, runChecks, type Result } from '../../../adapters/conformance/run.js';
import { startProcess, Workplace, type ServiceProcess, type Settings } from '../../support/process.js';
import { freePort, listening } from '../../support/socket.js';
import { startService, type TestService } from '../../support/service.js';
import { FAULTS } from '../../integration/conformance/faults.js';
import { startFaulty } from '../../integration/conformance/faulty.js';

const AUTOMATIONS = 130;
const CHECKS = GROUPS.flatMap(({ checks }) => checks);

describe('The conformance kit', () => {
  let service: TestService;
  let readKey: string;
  let writeKey: string;

  before(async () => {
    service = await startService({
      settings: { RATE_LIMIT_READS: '1000000', RATE_LIMIT_CREATES: '1000000', RATE_LIMIT_FAILED_AUTH: '1000000' },
    });
    readKey = await service.key('bob', ['automations:read']);
    writeKey = await service.key('ada');
    const caller = { developerId: 'ada', scopes: ['automations:write'] } as unknown as Parameters<
      typeof service.marketplace.createAutomation
    >[0];
    const categories = ['communication', 'data-processing', 'ai-agents'];
    for (let n = 0; n < AUTOMATIONS; n += 1)
      await service.marketplace.createAutomation(caller, {
        title: n % 4 === 1 ? `Automation ${n}` : `Robot ${n}`,
        description: n % 4 === 0 ? 'An automation of many.' : 'One of many.',
        price: n % 50,
        categoryId: categories[n % 3] ?? '',
      });
  });
  after(() => service.close());

  const check = (origin: string, write = true) =>
    runChecks(new Api({ baseUrl: `${origin}/api`, key: readKey, writeKey: write ? writeKey : undefined }));
  const of = (results: readonly Result[], outcome: Result['outcome']) =>
    results.filter((result) => result.outcome === outcome);

  it('finds nothing broken here, and skips only what needs a key or automation it cannot have', async () => {
    const results = await check(service.url);
    expect(of(results, 'broken')).to.deep.equal([]);
    expect(new Set(of(results, 'skipped').map(({ reason }) => reason))).to.deep.equal(
      new Set([
        'it needs a revoked key',
        'it needs an expired key',
        'it needs a withdrawn automation',
        'it needs a key that may only create',
      ]),
    );
    expect(of(results, 'skipped').length).to.be.below(15);
    expect(results.length).to.equal(CHECKS.length);
  });

  it('creates as many automations as its help says, but for a few', async () => {
    const count = async () => (await service.repositories.automations.list({ page: { number: 1, limit: 1 } })).total;
    const before = await count();
    await check(service.url);
    const said = /creates about (\d+) automations/.exec(
      readFileSync('adapters/cli/commands/conformance.ts', 'utf8'),
    )?.[1];
    expect(Number(said)).to.be.closeTo((await count()) - before, 5);
  });

  it('creates nothing without a key for it', async () => {
    const { total } = await service.repositories.automations.list({ page: { number: 1, limit: 1 } });
    const results = await check(service.url, false);
    expect(of(results, 'broken')).to.deep.equal([]);
    expect(of(results, 'skipped').map(({ reason }) => reason)).to.include('it needs a write key');
    expect((await service.repositories.automations.list({ page: { number: 1, limit: 1 } })).total).to.equal(total);
  });

  it('names no key in what it reports of a server where nothing holds', async () => {
    const results = await runChecks(new Api({ baseUrl: service.url, key: readKey, writeKey }));
    const broken = of(results, 'broken');
    expect(broken.map(({ title }) => title)).to.include(
      'The key in the query alone is answered with 401 missing-credentials',
    );
    expect(JSON.stringify(broken)).to.include('access_token=[key]').and.not.include(readKey).and.not.include(writeKey);
  });

  it('has checks with names of their own', () => {
    const titles = CHECKS.map(({ title }) => title);
    expect(new Set(titles).size).to.equal(titles.length);
    expect(FAULTS.length).to.be.greaterThan(40);
  });

  for (const fault of FAULTS)
    it(`notices that ${fault.name}`, async () => {
      const faulty = await startFaulty(service.url, fault);
      try {
        const api = new Api({ baseUrl: `${faulty.url}/api`, key: readKey, writeKey });
        const outcomes = await Promise.all(
          CHECKS.filter(({ title }) => title.includes(fault.noticed)).map(({ run }) =>
            run(api).catch((error: unknown) => error),
          ),
        );
        expect(outcomes.some((outcome) => outcome instanceof Error && !(outcome instanceof Skipped))).to.equal(true);
      } finally {
        faulty.close();
      }
    });

  it('reports for people and for machines', () => {
    const results: readonly Result[] = [
      { group: 'A', title: 'holds', outcome: 'held', duration: 1 },
      { group: 'A', title: 'is <broken> & "bad"', outcome: 'broken', reason: 'GET /x: \u0001', duration: 2 },
      { group: 'B', title: 'is skipped', outcome: 'skipped', reason: 'nothing is on sale', duration: 0 },
    ];
    expect(textReport(results).at(-1)).to.equal('1 held, 1 broken, 1 skipped');
    const xml = junitReport(results);
    expect(xml)
      .to.include('tests="3" failures="1" skipped="1"')
      .and.include('is &#60;broken&#62; &#38; &#34;bad&#34;')
      .and.not.include('\u0001');
  });
});

describe('The command conformance', () => {
  let running: ServiceProcess;
  before(async () => {
    running = await startProcess();
  });
  after(() => running.kill());

  it('ends with 0 where all holds, with 1 where not, and with 2 for a wrong use', async () => {
    const place = await Workplace.open();
    const at = (...words: string[]) => place.run(['conformance', ...words]);
    const usual = ['--base-url', `${running.url}/v1`, '--key', running.firstKey];
    const fine = await at(...usual, '--json');
    expect(fine.code, fine.stdout + fine.stderr).to.equal(0);
    expect(JSON.parse(fine.stdout)).to.include({ broken: 0 });
    for (const words of [
      ['--base-url', 'ftp://x', '--key', 'x'],
      ['--key', 'x'],
      [...usual, '--json', '--junit'],
    ])
      expect((await at(...words)).code, words.join(' ')).to.equal(2);
    await place.clear();
  });

  it('takes its keys from the environment or a file, so that they are in no list of processes', async () => {
    const place = await Workplace.open();
    const words = ['conformance', '--base-url', `${running.url}/v1`, '--json'];
    writeFileSync(place.path('key'), `${running.firstKey}\n`);
    const file = { MARKETPLACE_KEY_FILE: place.path('key') };
    const outcomeOf = async (environment: Settings, ...more: readonly string[]) => {
      const { code, stdout, stderr } = await place.run([...words, ...more], environment);
      const skipped = stdout.includes('it needs a write key');
      return [code, skipped ? 'created nothing' : stderr.split('\n')[0]?.replace(/^.*\r.*\r/, '')];
    };
    const key = { MARKETPLACE_KEY: running.firstKey };
    expect(await outcomeOf(key)).to.deep.equal([0, 'created nothing']);
    expect(await outcomeOf(file)).to.deep.equal([0, 'created nothing']);
    expect((await outcomeOf({ ...key, MARKETPLACE_WRITE_KEY: running.firstKey }))[0]).to.equal(0);
    expect((await outcomeOf({ MARKETPLACE_KEY: 'amk_wrong' }, '--key', running.firstKey))[0]).to.equal(0);
    expect(await outcomeOf({ MARKETPLACE_KEY: 'amk_wrong' })).to.deep.equal([
      1,
      'the server does not accept the key of MARKETPLACE_KEY (status 401)',
    ]);
    expect(await outcomeOf({ ...key, MARKETPLACE_WRITE_KEY: 'amk_wrong' })).to.deep.equal([
      1,
      'the server does not accept the key of MARKETPLACE_WRITE_KEY (status 401)',
    ]);
    expect((await outcomeOf({ MARKETPLACE_KEY: 'a b' }))[0]).to.equal(1);
    expect(await outcomeOf({})).to.deep.equal([2, 'a key is missing; set MARKETPLACE_KEY, or give --key KEY']);
    await place.clear();
  });

  it('says in one sentence what is wrong with the URL or a key, and checks nothing', async () => {
    const place = await Workplace.open();
    const { url, firstKey } = running;
    const readKey = (
      await place.run(['keys', 'issue', '--developer', 'bob', '--scopes', 'automations:read'], running.environment)
    ).stdout.trim();
    const writeKey = (
      await place.run(['keys', 'issue', '--developer', 'bob', '--scopes', 'automations:write'], running.environment)
    ).stdout.trim();
    const port = await freePort();
    const website = createServer((_request, response) => response.end('<!doctype html>'));
    const failing = createServer((_request, response) => response.writeHead(503).end());
    const moved = createServer((_request, response) =>
      response.writeHead(301, { Location: 'https://market.example/api' }).end(),
    );
    const closed = createServer((request) => request.socket.destroy());
    const servers = await Promise.all([website, failing, moved, closed].map(listening));
    const [site, down, old, gone] = servers.map((server) => server.url);
    const cases: readonly (readonly [string, string, string, RegExp])[] = [
      [
        `http://127.0.0.1:${port}/api`,
        firstKey,
        '',
        /^cannot reach http:\/\/127\.0\.0\.1:\d+\/api\/categories: the connection was refused$/,
      ],
      [
        'http://nowhere.invalid/api',
        firstKey,
        '',
        /^cannot reach http:\/\/nowhere\.invalid\/api\/categories: (there is no such host|the host name .*)$/,
      ],
      [`${gone}/api`, firstKey, '', /^cannot reach .*: the connection was closed$/],
      [
        url,
        firstKey,
        '',
        /^there is no API at --base-url: GET http:.*\/categories returned 404; the base usually ends in \/api or \/v1$/,
      ],
      [`${url}/panel`, firstKey, '', /^there is no API at --base-url: GET .* returned 404;/],
      [`${site}/api`, firstKey, '', /^there is no API at --base-url: GET .* returned 200 without JSON;/],
      [
        `${old}/api`,
        firstKey,
        '',
        /^there is no API at --base-url: GET .* returned 301 and leads to https:\/\/market\.example\/api;/,
      ],
      [`${down}/api`, firstKey, '', /^the server cannot serve requests now: GET .* returned 503$/],
      [`${url}/api`, 'amk_wrong', '', /^the server does not accept the key of --key \(status 401\)$/],
      [
        `${url}/api`,
        writeKey,
        '',
        /^the key of --key may not read \(status 403\); it needs the scope automations:read$/,
      ],
      [`${url}/api`, readKey, 'amk_wrong', /^the server does not accept the key of --write-key \(status 401\)$/],
    ];
    for (const [baseUrl, key, write, sentence] of cases)
      for (const format of key === 'amk_wrong' ? [[], ['--json'], ['--junit']] : [[]]) {
        const words = ['--base-url', baseUrl, '--key', key, ...(write === '' ? [] : ['--write-key', write]), ...format];
        const { code, stdout, stderr } = await place.run(['conformance', ...words]);
        expect({ code, stdout }, `${words.join(' ')}: ${stderr}`).to.deep.equal({ code: 1, stdout: '' });
        expect(stderr.endsWith('\n')).to.equal(true);
        expect(stderr.slice(0, -1)).to.match(sentence);
      }
    for (const key of ['a b', 'é', 'a\nb', ''])
      expect(
        (await place.run(['conformance', '--base-url', `${url}/api`, `--key=${key}`])).code,
        JSON.stringify(key),
      ).to.equal(2);
    await Promise.all(servers.map((server) => server.close()));
    await place.clear();
  });
});
