import { expect } from 'chai';
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { sqliteStorage } from '../../../adapters/sql/sqlite/index.js';
import { readmeExamples } from '../../support/readme.js';
import { MAIN, Workplace } from '../../support/process.js';
import { Client, created, draft } from '../../support/service/client.js';

describe('A backup of an SQLite store', () => {
  let place: Workplace;
  beforeEach(async () => {
    place = await Workplace.open();
  });
  afterEach(() => place.clear());

  it('is in the file that is named, whatever it is called', async () => {
    const folder = 'file:data';
    const run = (...words: readonly string[]) =>
      execFileSync(process.execPath, [MAIN, ...words], {
        cwd: place.folder,
        env: { PATH: '', DATA_DIR: folder },
        encoding: 'utf8',
      });
    run('keys', 'issue', '--developer', 'ada');
    run('backup', 'file:copy.db');
    mkdirSync(place.path('restored'));
    renameSync(place.path('file:copy.db'), place.path('restored/marketplace.db'));
    expect((await place.run(['keys', 'list', '--json'], { DATA_DIR: place.path('restored') })).stdout).to.include(
      '"developer":"ada"',
    );
    expect(readdirSync(place.folder).sort()).to.deep.equal([folder, 'restored']);
  });

  it('is put in place by the commands of docs/operation.md, also after a crash', async () => {
    const data = place.path('data');
    const developers = async () => (await place.run(['keys', 'list', '--json'], { DATA_DIR: data })).stdout;
    await place.run(['keys', 'issue', '--developer', 'ada'], { DATA_DIR: data });
    await place.run(['backup', place.path('copy.db')], { DATA_DIR: data });
    const service = await place.serve({ DATA_DIR: data });
    await place.run(['keys', 'issue', '--developer', 'bob'], { DATA_DIR: data });
    await service.kill();
    expect(statSync(join(data, 'marketplace.db-wal')).size).to.be.above(0);
    const [commands] = readmeExamples('docs/operation.md').filter(
      ({ heading, language }) => heading === 'Back up and restore' && language === 'sh',
    );
    const program = `"${process.execPath}" "${MAIN}"`;
    const script = (commands?.code ?? '').replaceAll('npm run -s marketplace --', program);
    const output = execFileSync('bash', ['-euc', script], {
      cwd: place.folder,
      env: { PATH: process.env['PATH'], DATA_DIR: './data' },
      encoding: 'utf8',
    });
    const [done, kept, checked] = output.split('\n');
    expect([done, checked]).to.deep.equal(['the store is now a copy of copy.db', 'nothing differs']);
    expect(kept).to.match(/^the earlier store is kept as \/.*\/data\/marketplace\.db\.before-restore-[\dTZ-]+$/);
    expect(await developers())
      .to.include('"developer":"ada"')
      .and.not.to.include('"developer": "bob"');
  });

  it('is not put in place of an open store, nor where the store is no file of SQLite', async () => {
    const copy = place.path('copy.db');
    const service = await place.serve();
    await place.run(['backup', copy]);
    const open = await place.run(['restore', copy]);
    expect([open.code, open.stdout]).to.deep.equal([1, '']);
    expect(open.stderr).to.match(/is open in another process; stop the service and every command, then try again\n$/);
    expect(await service.stop()).to.equal(0);
    expect((await place.run(['restore', copy])).code).to.equal(0);
    const itself = await place.run(['restore', place.database]);
    expect([itself.code, itself.stderr]).to.deep.equal([1, `${place.database} is the store itself\n`]);
    const inMongo = { STORAGE: 'mongodb', MONGODB_URL: 'mongodb://127.0.0.1:1/?replicaSet=rs0' };
    for (const settings of [{ STORAGE: 'memory' }, inMongo])
      expect((await place.run(['restore', copy], settings)).stderr).to.match(/^restore puts a backup in the place of/);
    expect((await place.run(['restore'])).code).to.equal(2);
  });

  const makeStore = () => place.run(['keys', 'issue', '--developer', 'ada']);

  it('taken while creates run has everything that was acknowledged before it, and is a store', async () => {
    const service = await place.serve();
    const client = new Client(service.url, service.firstKey);
    const acknowledged: string[] = [];
    const backup = new AbortController();
    const load = (async () => {
      for (let n = 0; !backup.signal.aborted; n += 1)
        acknowledged.push(created(await client.post(draft(n, { category_id: 'uncategorized' }))).id);
    })();
    while (acknowledged.length < 50) await new Promise((resolve) => setTimeout(resolve, 10));
    const before = [...acknowledged];
    const copy = place.path('copy.db');
    const { code, stdout, stderr } = await place.run(['backup', copy]);
    backup.abort();
    await load;
    client.close();
    expect([code, stdout], stderr).to.deep.equal([0, '']);
    const folder = place.path('restored');
    mkdirSync(folder);
    renameSync(copy, join(folder, 'marketplace.db'));
    const restored = await place.serve({ DATA_DIR: folder });
    const reader = new Client(restored.url, service.firstKey);
    const ids = await reader.ids();
    reader.close();
    expect(ids).to.include.members(before);
    expect(acknowledged).to.include.members([...ids]);
  });

  it('is there whole or not at all, and for its user alone', async () => {
    await makeStore();
    const { code } = await place.run(['backup', place.path('whole.db')]);
    expect(code).to.equal(0);
    expect(statSync(place.path('whole.db')).mode & 0o777).to.equal(0o600);
    const inTheWay = place.path('taken.db');
    mkdirSync(inTheWay);
    expect((await place.run(['backup', inTheWay])).stderr).to.include('already exists; choose another name');
    expect(readdirSync(place.folder).filter((name) => name.includes('.part'))).to.deep.equal([]);
  });

  it('of a closed store fails and leaves nothing', async () => {
    const storage = sqliteStorage(place.database);
    await storage.close();
    const failure = await storage.backup(place.path('closed.db')).catch((error: unknown) => error);
    expect(failure).to.be.instanceOf(Error).with.property('message').that.includes('closed');
    expect(readdirSync(place.folder).filter((name) => name.includes('closed'))).to.deep.equal([]);
  });

  it('is never written over a file, and not elsewhere than it was told', async () => {
    await makeStore();
    const there = place.path('there');
    writeFileSync(there, 'mine');
    const taken = await place.run(['backup', there]);
    expect(taken.code).to.equal(1);
    expect(taken.stderr).to.include('already exists; choose another name');
    symlinkSync('nowhere', place.path('link'));
    expect((await place.run(['backup', place.path('link')])).stderr).to.include('already exists; choose another name');
    expect(readlinkSync(place.path('link'))).to.equal('nowhere');
    const nowhere = await place.run(['backup', place.path('no/folder/copy.db')]);
    expect(nowhere.code).to.equal(1);
    expect(nowhere.stderr).to.include('could not be written: no such file or directory');
    expect(existsSync(place.path('no'))).to.equal(false);
    expect((await place.run(['backup'])).code).to.equal(2);
    expect((await place.run(['backup', place.path('x')], { STORAGE: 'memory' })).stderr).to.include(
      'With STORAGE=memory the data lives inside the service',
    );
  });
});
