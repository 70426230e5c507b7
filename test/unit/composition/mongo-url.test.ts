import { expect } from 'chai';
import { ConfigError, readConfig } from '../../../composition/config/config.js';
import { databaseIn, passwordsIn } from '../../../composition/config/mongodb.js';

const GOOD = [
  'mongodb://127.0.0.1/market?replicaSet=rs0',
  'mongodb://localhost:27017,127.0.0.2:27018,[::1]:27019/',
  'mongodb://%2Ftmp%2Fmongodb-27017.sock/market',
  'mongodb://ada:canary@db.example,db2.example:27018/market?tls=true',
  'mongodb://ada:canary@db.example/?replicaSet=rs0&SSL=true',
  'mongodb+srv://ada:canary@cluster.example/market',
  'mongodb://db.example/?authMechanism=MONGODB-X509&tls=true',
];

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
const ENCODE =
  /must have one @ at most, in front of the host, and no #: write @ as %40, \/ as %2F, \? as %3F and # as %23/;
/** What the driver would refuse when it connects, or not at all, and what is said of it. */
const UNFIT: Readonly<Record<string, RegExp>> = {
  'mongodb+srv://canary.example:27017/': /or one with one host and no port after mongodb\+srv:\/\//,
  'mongodb+srv://canary.example,other.example/': /or one with one host and no port after mongodb\+srv:\/\//,
  'mongodb://ada:canary%@db.example/': /with %40 for @ in a password$/,
  'mongodb://ada:canary%ff@db.example/': /with %40 for @ in a password$/,
  'mongodb://market:Abc@canary/x@127.0.0.1/market': ENCODE,
  'mongodb+srv://market:Abc@canary@db.example/market': ENCODE,
  'mongodb://canary:12/x@127.0.0.1/market': ENCODE,
  'mongodb://canary:12?x@127.0.0.1/market': ENCODE,
  'mongodb://127.0.0.1/?tls=true&tlsCAFile=/canary/none': /must name a PEM file that can be read as tlsCAFile$/,
  'mongodb://127.0.0.1/?tls=true&tlscertificatekeyfile=%2Fcanary%2Fnone':
    /must name a PEM file that can be read as tlsCertificateKeyFile$/,
  'mongodb://127.0.0.1/?tls=true&tlsCRLFile=/canary': /must name a PEM file that can be read as tlsCRLFile$/,
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
  for (const url of GOOD) it(`may be ${url}`, () => expect(mistakesOf(url)).to.deep.equal([]));

  for (const options of WEAKER)
    it(`with ${options} is refused, by the name of the option`, () => {
      const [name = ''] = options.split('=');
      const [mistake, ...more] = mistakesOf(`mongodb://ada:canary@db.example/market?replicaSet=rs0&${options}`);
      expect(mistake)
        .to.match(new RegExp(`^MONGODB_URL must .*\\b${name}\\b`, 'i'))
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
