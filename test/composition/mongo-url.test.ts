import { expect } from 'chai';
import { ConfigError, readConfig } from '../../composition/config.js';
import { exposureOf, passwordsIn } from '../../composition/mongo-url.js';
import { Workplace } from '../support/process.js';

const SAFE = [
  'mongodb://127.0.0.1/market?replicaSet=rs0',
  'mongodb://localhost:27017,127.0.0.2:27018,[::1]:27019/',
  'mongodb://%2Ftmp%2Fmongodb-27017.sock/market',
  'mongodb://ada:canary@db.example,db2.example:27018/market?tls=true',
  'mongodb://ada:canary@db.example/?replicaSet=rs0&SSL=true',
  'mongodb+srv://ada:canary@cluster.example/market',
  'mongodb://db.example/?authMechanism=MONGODB-X509&tls=true',
];

const TLS = 'TLS that verifies the server';
const EXPOSED: Readonly<Record<string, readonly string[]>> = {
  'mongodb://canary.example': [TLS, 'credentials'],
  'mongodb://127.0.0.1,canary.example/market': [TLS, 'credentials'],
  'mongodb://localhost.canary.example/market': [TLS, 'credentials'],
  'mongodb://canary:canary@10.0.0.7/market': [TLS],
  'mongodb://canary:canary@10.0.0.7/market?tls=false': [TLS],
  'mongodb://canary:canary@db.example/?tls=true&tlsAllowInvalidCertificates=true': [TLS],
  'mongodb+srv://canary:canary@db.example/?tls=false': [TLS],
  'mongodb://canary:canary@db.example/?tls=true&tlsInsecure=true': [TLS],
  'mongodb://canary:canary@db.example/?tls=true&tlsAllowInvalidHostnames=true': [TLS],
  'mongodb://127.0.0.1,localhost,canary.example/market': [TLS, 'credentials'],
  'mongodb+srv://canary.example': ['credentials'],
  'mongodb://canary.example/?tls=true': ['credentials'],
};

const WEAKER = [
  'w=1',
  'w=2',
  'W=0',
  'journal=false',
  'readConcernLevel=local',
  'readPreference=secondaryPreferred',
  'retryWrites=false',
  'retryreads=false',
  'maxPoolSize=0',
  'connectTimeoutMS=0',
  'serverSelectionTimeoutMS=0',
  'socketTimeoutMS=0',
  'waitQueueTimeoutMS=0',
];
const FINE = ['w=majority', 'journal=true', 'readPreference=primary', 'retryWrites=true&maxPoolSize=50', 'socketTimeoutMS=9000'];

function mistakesOf(MONGODB_URL: string): readonly string[] {
  try {
    readConfig({ STORAGE: 'mongodb', MONGODB_URL });
  } catch (error) {
    if (error instanceof ConfigError) return error.mistakes;
    throw error;
  }
  return [];
}

describe('MONGODB_URL', () => {
  for (const url of SAFE)
    it(`${url} exposes nothing`, () => {
      expect(exposureOf(url)).to.equal(undefined);
      expect(mistakesOf(url)).to.deep.equal([]);
    });

  for (const [url, missing] of Object.entries(EXPOSED))
    it(`${url} is warned of: it has no ${missing.join(' and no ')}`, () => {
      const warning = exposureOf(url) ?? '';
      expect([TLS, 'credentials'].filter((one) => warning.includes(one))).to.deep.equal(missing);
      expect(warning).not.to.match(/canary|10\.0\.0|example/);
      expect(mistakesOf(url)).to.deep.equal([]);
    });

  for (const options of WEAKER)
    it(`with ${options} is refused, by the name of the option`, () => {
      const [name = ''] = options.split('=');
      const [mistake, ...more] = mistakesOf(`mongodb://ada:canary@db.example/market?replicaSet=rs0&${options}`);
      expect(mistake).to.match(new RegExp(`^MONGODB_URL must .*\\b${name}\\b`, 'i')).and.not.to.include('canary');
      expect(more).to.deep.equal([]);
    });

  for (const url of ['mongodb://ada:canary%@db.example/', 'mongodb://ada:canary%ff@db.example/', 'mongodb://db%zz.example/'])
    it(`${url} is refused, for what is wrong with it`, () => {
      const [mistake, ...more] = mistakesOf(url);
      expect(mistake).to.match(/^MONGODB_URL must have %/).and.not.to.include('canary');
      expect(more).to.deep.equal([]);
    });

  it('has a password to keep out of the log, as it is written and as it is', () => {
    expect(passwordsIn('mongodb://ada:canary%40@db.example/')).to.deep.equal(['canary%40', 'canary@']);
    expect(passwordsIn('mongodb://db.example/')).to.deep.equal(['', '']);
  });

  for (const options of FINE)
    it(`may have ${options}`, () => expect(mistakesOf(`mongodb://127.0.0.1/market?${options}`)).to.deep.equal([]));
});

describe('The service with a MONGODB_URL', function () {
  this.timeout(60_000);
  let place: Workplace;
  before(async () => {
    place = await Workplace.open({ STORAGE: 'mongodb' });
  });
  after(() => place.clear());

  const warningsWith = async (MONGODB_URL: string) => {
    const service = await place.serve({ MONGODB_URL });
    const code = await service.stop();
    expect(code).to.equal(0);
    const entries = service.logged().map((line) => JSON.parse(line) as { level: number; msg: string });
    expect(service.stdout.join()).not.to.include('canary');
    return entries.filter(({ level, msg }) => level === 40 && msg.startsWith('MONGODB_URL'));
  };

  it('that exposes the store to a network says so once, as a warning without a value', async () => {
    const [warning, ...more] = await warningsWith('mongodb://canary:canary@canary.invalid/market');
    expect(warning?.msg).to.equal(exposureOf('mongodb://a:b@c'));
    expect(more).to.deep.equal([]);
  });

  it('of this machine says nothing', async () => {
    expect(await warningsWith('mongodb://127.0.0.1:1/market')).to.deep.equal([]);
  });

  for (const options of ['maxPoolSize=canary', 'canary=canary', 'tls=canary'])
    it(`with ${options}, which the driver refuses, is refused without the driver's words`, async () => {
      const { code, stdout, stderr } = await place.run(['serve'], { MONGODB_URL: `mongodb://127.0.0.1/?${options}` });
      expect({ code, stdout }).to.deep.equal({ code: 1, stdout: '' });
      expect(stderr).to.include('  MONGODB_URL, or what MONGODB_URL_FILE names, must ').and.not.to.include('canary');
    });
});
