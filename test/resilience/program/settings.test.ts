import { expect } from 'chai';
import { mkdirSync, writeFileSync } from 'node:fs';
import { MAIN, Workplace } from '../../support/process.js';

/** As if the environment had none of them. */
const NOTHING = { PORT: '', DATA_DIR: '', DRAIN_SECONDS: '' };

describe('The settings of the program', () => {
  let place: Workplace;
  beforeEach(async () => {
    place = await Workplace.open();
  });
  afterEach(() => place.clear());

  const run = (words: string, settings: Readonly<Record<string, string>> = {}) =>
    place.run(words.split(' '), { ...NOTHING, ...settings });
  const linkOf = async (settings?: Readonly<Record<string, string>>) =>
    (await run('developers invite ada', settings)).stdout.split('/panel')[0];

  it('come from the environment, else from .env in the working directory, for every command', async () => {
    writeFileSync(place.path('.env'), '# ours\nPORT=4001\nDATA_DIR="./from-file"\nPUBLIC_URL=\n');
    expect(await linkOf()).to.equal('http://127.0.0.1:4001');
    expect(await linkOf({ PORT: '4002' })).to.equal('http://127.0.0.1:4002');
    const list = await run('developers list --json', { DATA_DIR: place.path('from-file') });
    expect(list.stdout).to.include('"name":"ada"');
    writeFileSync(place.path('.env'), 'PORT=canary\nMARKETPLACE_KEY=two canaries\n');
    expect((await run('keys list')).stderr)
      .to.include('  PORT must be an integer')
      .and.not.include('canary');
    expect((await run('conformance --base-url http://127.0.0.1:1/api')).stderr).to.include('  MARKETPLACE_KEY must be');
  });

  it('come from flags first, for serve', async () => {
    writeFileSync(
      place.path('.env'),
      'PORT=canary\nDATA_DIR=./canary\nPUBLIC_URL=https://file.example\nDRAIN_SECONDS=0\n',
    );
    const flags = [
      '--port',
      '0',
      '--host',
      '127.0.0.2',
      '--data-dir',
      './flagged',
      '--public-url=https://flag.example/',
    ];
    const service = await place.serve({ ...NOTHING, HOST: '127.0.0.3' }, [process.execPath, MAIN, 'serve', ...flags]);
    const ready = JSON.parse(service.logged()[0] ?? '') as Readonly<Record<string, string>>;
    expect(ready).to.include({ folder: place.path('flagged'), api: 'https://flag.example/api' });
    expect(ready['url']).to.match(/^http:\/\/127\.0\.0\.2:\d+$/);
    expect(await service.stop()).to.equal(0);
    const refused = await run('serve --port 70000');
    expect(refused).to.include({ code: 1, stdout: '' });
    expect(refused.stderr).to.equal('The settings have errors:\n  PORT must be an integer from 0 to 65535\n');
  });

  it('warn of a line of .env that is no setting, but not of common variables', async () => {
    writeFileSync(place.path('.env'), 'RATE_LIMIT_READ_PER_MINUTE=canary\nTZ=UTC\nNODE_ENV=production\nPORT=0\n');
    const service = await place.serve();
    await service.stop();
    const warned = service.stdout.filter((line) => line.includes('in the file .env'));
    expect(warned).to.have.length(1);
    expect(warned[0])
      .to.include('RATE_LIMIT_READ_PER_MINUTE in the file .env is not a setting')
      .and.not.include('canary');
    const { stderr } = await place.run(['keys', 'list'], { STORAGE: './none.js' });
    expect(stderr).to.include('STORAGE').and.not.include('in the file .env');
  });

  it('are refused in one sentence when .env cannot be read', async () => {
    mkdirSync(place.path('.env'));
    for (const words of ['keys list', 'serve'])
      expect(await run(words)).to.deep.include({
        code: 1,
        stdout: '',
        stderr: 'the file .env in the working directory cannot be read\n',
      });
  });

  it('that are misspelt are warned of by the service in its log, and by commands', async () => {
    const sentence = 'DATA_DIT is not a setting; did you mean DATA_DIR?';
    const service = await place.serve({ DATA_DIT: 'canary' });
    expect(await service.stop()).to.equal(0);
    const warnings = service.logged().filter((line) => line.includes('"level":40'));
    expect(warnings.map((line) => (JSON.parse(line) as { msg: string }).msg)).to.deep.equal([sentence]);
    const { code, stderr } = await place.run(['keys', 'list'], { DATA_DIT: 'canary' });
    expect({ code, stderr }).to.deep.equal({ code: 0, stderr: `${sentence}\n` });
  });

  it('contradict the currency of the store only where it was given', async () => {
    const first = await place.serve({ CURRENCY: 'EUR' });
    await first.stop();
    const item = '{"title":"a","description":"b","price":1.5,"category_id":"uncategorized"}';
    writeFileSync(place.path('items'), item);
    expect((await place.run(['automations', 'import', 'items', '--developer', 'developer'])).code).to.equal(0);
    expect((await place.run(['automations', 'list', '--json'])).stdout).to.include('"currency":"EUR"');
    const again = await place.serve();
    expect(await (await fetch(`${again.url}/openapi.json`)).text())
      .to.include('EUR')
      .and.not.include('USD');
    const { code, stderr } = await place.run(['keys', 'list'], { CURRENCY: 'USD' });
    expect(code).to.equal(1);
    expect(stderr).to.match(/^CURRENCY must be that of the store: .*EUR/);
  });
});
