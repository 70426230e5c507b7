import { expect } from 'chai';
import { ConfigError, readConfig } from '../../../composition/config/config.js';
import { databaseIn, exposureOf, passwordsIn } from '../../../composition/config/mongodb.js';

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
/** What the driver would refuse when it connects, or not at all, and what is said of it. */
const UNFIT: Readonly<Record<string, RegExp>> = {
  'mongodb://127.0.0.1:99999/canary': /^MONGODB_URL must have ports from 1 to 65535$/,
  'mongodb://127.0.0.1:0/canary': /ports from 1 to 65535$/,
  'mongodb://127.0.0.1:27017,127.0.0.1:canary/': /ports from 1 to 65535$/,
  'mongodb://[::1]:99999/canary': /ports from 1 to 65535$/,
  'mongodb://127.0.0.1,/canary': /must have a host before and behind each comma$/,
  'mongodb+srv://canary.example:27017/': /or one with one host and no port after mongodb\+srv:\/\/$/,
  'mongodb+srv://canary.example,other.example/': /or one with one host and no port after mongodb\+srv:\/\/$/,
  'mongodb://127.0.0.1/ca nary': /must name a database of at most 63 bytes/,
  'mongodb://127.0.0.1/ca%20nary': /must name a database/,
  'mongodb://127.0.0.1/canary$': /must name a database/,
  'mongodb://127.0.0.1/canary%24?w=majority': /must name a database/,
  'mongodb://127.0.0.1/ca.nary': /must name a database/,
  'mongodb://127.0.0.1/ca/nary': /must name a database/,
  [`mongodb://127.0.0.1/${'canary'.repeat(11)}`]: /must name a database/,
  'mongodb://127.0.0.1/?tls=true&tlsCAFile=/canary/none':
    /must have a tlsCAFile that names a PEM file that can be read$/,
  'mongodb://127.0.0.1/?tls=true&tlscertificatekeyfile=%2Fcanary%2Fnone':
    /must have a tlsCertificateKeyFile that names/,
  'mongodb://127.0.0.1/?tls=true&tlsCRLFile=/canary': /must have a tlsCRLFile that names/,
};

const FINE = [
  'w=majority',
  'journal=true',
  'readPreference=primary',
  'retryWrites=true&maxPoolSize=50',
  'socketTimeoutMS=9000',
];

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
      expect(mistake)
        .to.match(new RegExp(`^MONGODB_URL must .*\\b${name}\\b`, 'i'))
        .and.not.to.include('canary');
      expect(more).to.deep.equal([]);
    });

  for (const url of [
    'mongodb://ada:canary%@db.example/',
    'mongodb://ada:canary%ff@db.example/',
    'mongodb://db%zz.example/',
  ])
    it(`${url} is refused, for what is wrong with it`, () => {
      const [mistake, ...more] = mistakesOf(url);
      expect(mistake)
        .to.match(/^MONGODB_URL must have %/)
        .and.not.to.include('canary');
      expect(more).to.deep.equal([]);
    });

  for (const [url, why] of Object.entries(UNFIT))
    it(`${url} is refused, for what is wrong with it`, () => {
      const [mistake, ...more] = mistakesOf(url);
      expect(mistake).to.match(why).and.not.to.include('canary');
      expect(more).to.deep.equal([]);
    });

  it('names the database, or leaves it at the usual one', () => {
    expect(
      ['mongodb://h/a%C3%A9', 'mongodb://u:p@h:1,[::1]:2/market?w=majority', 'mongodb+srv://h/a-b_c'].map(databaseIn),
    ).to.deep.equal(['a\u00e9', 'market', 'a-b_c']);
    for (const url of ['mongodb://h', 'mongodb://h/', 'mongodb://h/?w=majority'])
      expect(databaseIn(url)).to.equal('automation-marketplace');
  });

  it('has a password to keep out of the log, as it is written and as it is', () => {
    expect(passwordsIn('mongodb://ada:canary%40@db.example/')).to.deep.equal(['canary%40', 'canary@']);
    expect(passwordsIn('mongodb://db.example/')).to.deep.equal(['', '']);
  });

  for (const options of FINE)
    it(`may have ${options}`, () => expect(mistakesOf(`mongodb://127.0.0.1/market?${options}`)).to.deep.equal([]));
});
