import { expect } from 'chai';
import { readConfig } from '../../../composition/config/config.js';
import { forDriver, passwordsInPostgres } from '../../../composition/config/postgresql.js';

const GOOD = [
  'postgres://127.0.0.1/market',
  'postgresql://ada:canary%40@localhost:5433/market',
  'postgres://[::1]/market?sslmode=disable',
  'postgres:///market?host=/var/run/postgresql',
  'postgres://ada@%2Fvar%2Frun%2Fpostgresql/market',
  'postgres://ada:canary@db.example/market?sslmode=verify-full',
  'postgres://ada:canary@db.example/market?sslmode=require',
  'postgres://ada:canary@db.example/market',
  'postgres://ada:canary@10.0.0.7/market?sslmode=disable',
  'postgres://ada:canary@db.example/market?sslmode=no-verify',
  'postgres://ada:canary@db.example/market?uselibpqcompat=true&sslmode=require',
  'postgres:///market?host=db.example',
];

const ENCODE =
  /must have one @ at most, in front of the host, and no #: write @ as %40, \/ as %2F, \? as %3F and # as %23/;

const WRONG: Readonly<Record<string, RegExp>> = {
  'mongodb://canary/market': /^POSTGRES_URL must be a connection string such as postgres:/,
  'postgres://ada:can ary@x/market': /must be a connection string/,
  'postgres://ada:canary%@x/market': /must be a connection string/,
  'postgres://x:99999/canary': /must be a connection string/,
  'postgres://x:0/canary': /must have a port from 1 to 65535$/,
  'postgres://canary,other:5432/market': /must name one host/,
  'postgres://market:Abc@canary/x@127.0.0.1/market': ENCODE,
  'postgres://market:Abc@canary@127.0.0.1/market': ENCODE,
  'postgres://canary:12/x@127.0.0.1/market': ENCODE,
  'postgres://canary:12?x@127.0.0.1/market': ENCODE,
  'postgres://canary:12#x@127.0.0.1/market': ENCODE,
  'postgres://127.0.0.1/market#canary': ENCODE,
  'postgres://x/market?sslmode=canary': /as sslmode: disable, no-verify, prefer, require, verify-ca, verify-full$/,
  'postgres://x/market?sslrootcert=/canary/none': /must name a PEM file that can be read as sslrootcert$/,
};

describe('POSTGRES_URL', () => {
  for (const url of GOOD)
    it(`may be ${url}`, () => {
      expect(readConfig({ STORAGE: 'postgresql', POSTGRES_URL: url }).POSTGRES_URL).to.equal(url);
    });

  for (const [url, mistake] of Object.entries(WRONG))
    it(`must not be ${url}, and the message has none of it`, () => {
      expect(() => readConfig({ STORAGE: 'postgresql', POSTGRES_URL: url }))
        .to.throw(new RegExp(mistake.source.replace('^', '\\n {2}'), 'm'))
        .with.property('message')
        .that.does.not.include('canary');
    });

  it('verifies the server by each mode that says so, with any version of the driver', () => {
    for (const mode of ['prefer', 'require', 'verify-ca', 'verify-full'])
      expect(forDriver(`postgres://a:b@x/m?sslmode=${mode}&sslrootcert=%2Fca.pem`)).to.equal(
        'postgres://a:b@x/m?sslmode=verify-full&sslrootcert=%2Fca.pem',
      );
    for (const query of ['', '?sslmode=disable', '?sslmode=no-verify', '?uselibpqcompat=true&sslmode=require'])
      expect(forDriver(`postgres://a:b@x/m${query}`)).to.equal(`postgres://a:b@x/m${query}`);
  });

  it('has a password to keep out of the log, as it is written and as it is', () => {
    expect(passwordsInPostgres('postgres://ada:canary%40@db.example/')).to.deep.equal(['canary%40', 'canary@', '']);
    expect(passwordsInPostgres('')).to.deep.equal([]);
  });
});
