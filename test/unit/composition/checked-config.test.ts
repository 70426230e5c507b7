import { expect } from 'chai';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkedConfig } from '../../../composition/program/checked-config.js';
import { ConfigError, type Environment } from '../../../composition/config/config.js';

const HERE = { HOST: '127.0.0.1', PORT: '0' };
const folderRule = (folder: string) =>
  `DATA_DIR must name a folder that this user may write to, or that can be made: ${folder}`;

describe('The configuration on this machine', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'marketplace-checked-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  async function mistakesOf(
    environment: Environment,
    purpose: 'service' | 'command' = 'service',
  ): Promise<readonly string[]> {
    try {
      const given = { environment: { ...HERE, DATA_DIR: folder, ...environment }, unknownLines: [] };
      await checkedConfig(purpose, given);
    } catch (error) {
      if (error instanceof ConfigError) return error.mistakes;
      throw error;
    }
    return [];
  }

  it('has all its mistakes told at once, those of the driver as well', async () => {
    const mongo = {
      STORAGE: 'mongodb',
      MONGODB_URL: 'mongodb://127.0.0.1/?unknown=canary',
      MONGODB_URL_FILE: '',
      DATA_DIR: '/proc/canary',
    };
    const mistakes = await mistakesOf({ ...mongo, HOST: '192.0.2.1', PORT: '0', CURRENCY: 'canary' });
    expect(mistakes.map((mistake) => mistake.split(' ')[0])).to.have.members(['CURRENCY', 'HOST', 'MONGODB_URL']);
    expect(mistakes.join()).not.to.include('canary').and.not.to.include('192');
  });

  it('has of an unknown storage all told that is set', async () => {
    const mistakes = await mistakesOf({
      STORAGE: 'canary',
      DATA_DIR: '/proc/none',
      MONGODB_URL: 'mongodb://127.0.0.1/?unknown=canary',
    });
    expect(mistakes.map((mistake) => mistake.split(' ')[0])).to.have.members(['STORAGE', 'DATA_DIR', 'MONGODB_URL']);
  });

  it('names each option of MONGODB_URL that the driver refuses, without its value', async () => {
    const options = 'retryWritess=canary&w=majority&maxPoolSize=canary&authSource=admin';
    expect(
      await mistakesOf({ STORAGE: 'mongodb', MONGODB_URL: `mongodb://ada:pass@127.0.0.1/?${options}` }),
    ).to.deep.equal([
      'MONGODB_URL must have options that the driver knows, each once, with values that it takes and that agree; ' +
        'it refuses retryWritess, maxPoolSize',
    ]);
  });

  it('refuses a MONGODB_URL with ports or escapes that the driver does not take, without a value', async () => {
    const urls = ['127.0.0.1:99999', '127.0.0.1:0', '127.0.0.1:27017,127.0.0.1:canary', '[::1]:99999', 'db%zz.example'];
    for (const hosts of urls) {
      const [mistake, ...more] = await mistakesOf({ STORAGE: 'mongodb', MONGODB_URL: `mongodb://${hosts}/canary` });
      expect(mistake, hosts)
        .to.match(/^MONGODB_URL must be a connection string such as /)
        .and.not.to.include('canary');
      expect(more).to.deep.equal([]);
    }
  });

  it('names the file where a connection string from it is refused', async () => {
    const file = join(folder, 'url');
    writeFileSync(file, 'mongodb://127.0.0.1/?maxPoolSize=canary');
    const [mistake, ...more] = await mistakesOf({ STORAGE: 'mongodb', MONGODB_URL_FILE: file });
    expect(mistake)
      .to.match(/^MONGODB_URL_FILE must have options /)
      .and.not.to.include('canary');
    expect(more).to.deep.equal([]);
  });

  it('tells an unusable HOST beside other mistakes; a command may have any HOST', async () => {
    const mistaken = { DATA_DIR: '/proc' };
    const rule = folderRule('/proc');
    expect(await mistakesOf({ ...mistaken, HOST: '192.0.2.1' }, 'command')).to.deep.equal([rule]);
    for (const HOST of ['192.0.2.1', 'nowhere.invalid', 'fe80::1', '::ffff:192.0.2.1'])
      expect(await mistakesOf({ ...mistaken, HOST }), HOST).to.deep.equal([
        rule,
        'HOST must be an address or a name of this machine',
      ]);
  });

  it('does not listen for a moment where nothing else is wrong: the service will', async () => {
    expect(await mistakesOf({ HOST: '192.0.2.1' })).to.deep.equal([]);
  });

  it('wants a folder that can be written to, or made, and leaves nothing behind that it tried', async () => {
    writeFileSync(join(folder, 'file'), '');
    for (const DATA_DIR of [join(folder, 'file'), join(folder, 'file', 'below'), '/proc', '/proc/none/below'])
      expect(await mistakesOf({ DATA_DIR }), DATA_DIR).to.deep.equal([folderRule(DATA_DIR)]);
    expect(await mistakesOf({ DATA_DIR: '/proc/none', STORAGE: 'memory' })).to.deep.equal([]);
    expect(await mistakesOf({ DATA_DIR: join(folder, 'new', 'below') })).to.deep.equal([]);
    expect(existsSync(join(folder, 'new'))).to.equal(false);
    expect(readdirSync(folder)).to.deep.equal(['file']);
  });

  it('wants a store that can be written to, where one is', async () => {
    mkdirSync(join(folder, 'marketplace.db'));
    const rule = 'DATA_DIR must name a folder whose marketplace.db this user may read and write';
    expect(await mistakesOf({})).to.deep.equal([`${rule}: ${join(folder, 'marketplace.db')}`]);
  });
});
