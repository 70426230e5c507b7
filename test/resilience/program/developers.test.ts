import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import { Workplace, type ServiceProcess } from '../../support/process.js';
import { Client } from '../../support/service/client.js';

const CACHE_SECONDS = 1;

describe('Developers, by commands beside a running service', () => {
  let place: Workplace;
  let service: ServiceProcess;
  before(async () => {
    place = await Workplace.open({ KEY_CACHE_SECONDS: String(CACHE_SECONDS) });
    service = await place.serve();
  });
  after(() => place.clear());

  const run = async (...words: readonly string[]): Promise<string> => {
    const { code, stdout, stderr } = await place.run(words);
    expect(code, `${words.join(' ')}: ${stderr}`).to.equal(0);
    return stdout.trim();
  };
  const actions = async (...words: readonly string[]): Promise<readonly string[]> =>
    (JSON.parse(await run('audit', '--json', ...words)) as { actor: string; action: string }[]).map(
      ({ actor, action }) => `${actor} ${action}`,
    );

  it(
    'one who is suspended in another process is not let in, nor a key issued to them, ' + 'until they are restored',
    async () => {
      await run('developers', 'invite', 'ada');
      const client = new Client(service.url, await run('keys', 'issue', '--developer', 'ada'));
      expect((await client.get('/categories')).status).to.equal(200);
      await run('developers', 'suspend', 'ada');
      await until(client, 401);
      const another = new Client(service.url, await run('keys', 'issue', '--developer', 'ada'));
      expect((await another.get('/categories')).status).to.equal(401);
      await run('developers', 'restore', 'ada');
      await until(client, 200);
      await until(another, 200);
      for (const one of [client, another]) one.close();
      expect(await actions('--developer', 'ada')).to.deep.equal(
        ['restored', 'issued', 'suspended', 'issued', 'invited'].map(
          (did) => `operator ${did === 'issued' ? 'key' : 'developer'}-${did}`,
        ),
      );
    },
  );

  it('of the first start are the link and the key of "operator", and both are in the audit', async () => {
    const first = (JSON.parse(await run('developers', 'list', '--json')) as readonly object[]).at(-1);
    expect(first).to.include({ name: 'operator', role: 'operator', sign_in_name: null, state: 'invited' });
    expect(await actions('--developer', 'operator')).to.deep.equal([
      'operator key-issued',
      'operator developer-invited',
      'operator developer-added',
    ]);
  });

  it('get links to where the service is reached', async () => {
    const at = async (settings: Readonly<Record<string, string>>) =>
      (await place.run(['developers', 'invite', 'bob'], settings)).stdout;
    expect(await at({ PORT: '4000' })).to.match(/^http:\/\/127\.0\.0\.1:4000\/panel\/welcome\/[\w-]{32}\n$/);
    expect(await at({ PORT: '4000', HOST: '::1' })).to.match(/^http:\/\/\[::1\]:4000\/panel\/welcome\//);
    for (const HOST of ['0.0.0.0', '::', '0:0:0:0:0:0:0:0'])
      expect(await at({ PORT: '4000', HOST }), HOST).to.match(/^http:\/\/localhost:4000\/panel\/welcome\//);
    expect(await at({ PUBLIC_URL: 'https://market.example/shop' })).to.match(
      /^https:\/\/market\.example\/shop\/panel\/welcome\//,
    );
  });

  it('get links with the PUBLIC_URL of the last service, in a shell without it', async () => {
    const other = await Workplace.open();
    const before = await other.run(['developers', 'invite', 'bob']);
    expect(before.stderr).to.include('PORT is 0, a free port at each start');
    await (await other.serve({ PUBLIC_URL: 'https://market.example/shop' })).stop();
    const after = await other.run(['developers', 'invite', 'bob']);
    await other.clear();
    expect(after.stdout).to.match(/^https:\/\/market\.example\/shop\/panel\/welcome\//);
    expect(after.stderr).not.to.include('PORT');
  });

  it('get links beside which stands why they lead nowhere, where they do', async () => {
    const beside = async (settings: Readonly<Record<string, string>>) =>
      (await place.run(['developers', 'invite', 'bob'], settings)).stderr.split('\n').slice(1, -1);
    for (const [names, settings] of [
      [['PANEL'], { PORT: '4000', PANEL: 'off' }],
      [['PANEL'], { PORT: '4000', PANEL: 'off', PUBLIC_URL: 'https://market.example' }],
      [[], { PORT: '4000', HOST: '0.0.0.0' }],
      [[], { PORT: '4000' }],
      [[], { PORT: '0', HOST: '::', PUBLIC_URL: 'https://market.example' }],
    ] as const)
      expect((await beside(settings)).map((line) => line.split(' ')[0])).to.deep.equal(names);
  });

  it('get links beside which stands that they are suspended, where they are', async () => {
    await run('developers', 'invite', 'eve');
    await run('developers', 'suspend', 'eve');
    const { stdout, stderr } = await place.run(['developers', 'invite', 'eve'], { PORT: '4000' });
    expect(stdout).to.match(/\/panel\/welcome\/[\w-]{32}\n$/);
    expect(stderr.split('\n').slice(1, -1)).to.deep.equal([
      'eve is suspended: this link works only after "developers restore eve"',
    ]);
  });

  it('leave no token in a file of the store or in the log', async () => {
    const tokens = [service.firstLink, await run('developers', 'invite', 'bob')].map(
      (link) => link.split('/').at(-1) ?? '',
    );
    for (const token of tokens) expect(token).to.have.length(32);
    const files = readdirSync(place.folder);
    expect(files).to.include.members(['marketplace.db', 'marketplace.db-wal']);
    const kept = files.map((name) => readFileSync(place.path(name)).toString('latin1')).join();
    expect(kept).to.include('developer-invited');
    const told = [
      kept,
      service.logged().join(),
      await run('audit', '--json'),
      await run('developers', 'list', '--json'),
    ].join();
    for (const token of tokens)
      for (const form of [
        token,
        Buffer.from(token, 'base64url').toString('hex'),
        Buffer.from(token, 'base64url').toString('latin1'),
      ])
        expect(told.includes(form), 'a token').to.equal(false);
  });

  it('need a storage that stays', async () => {
    for (const words of [
      ['developers', 'invite', 'ada'],
      ['developers', 'list'],
      ['developers', 'suspend', 'ada'],
      ['audit'],
    ]) {
      const { code, stdout, stderr } = await place.run(words, { STORAGE: 'memory' });
      expect({ code, stdout }).to.deep.equal({ code: 1, stdout: '' });
      expect(stderr).to.match(/^With STORAGE=memory the data lives inside/);
    }
  });
});

/** Asks until this is the answer. */
async function until(client: Client, status: number): Promise<void> {
  while ((await client.get('/categories')).status !== status) await setTimeout(50);
}
