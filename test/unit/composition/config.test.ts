import { expect } from 'chai';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { ConfigError, readConfig, type Environment } from '../../../composition/config/config.js';
import { ALL_SETTINGS, SETTINGS } from '../../../composition/config/settings.js';
import { readTls } from '../../../composition/config/files.js';
import { Workplace } from '../../support/process.js';
import { newCertificate } from '../../support/certificate.js';

/** Values that must not be taken. Each has a word in it by which it would be found in a message. */
const BAD: Readonly<Record<string, readonly string[]>> = {
  PORT: ['canary', '-1', '65536', '3000canary', '3e3', '0x10', ' 3000', '30.5', '99999999999'],
  STORAGE: ['canary', 'SQLite', 'mysql', './canary.js'],
  CURRENCY: ['canary', 'usd', 'XXX', 'US', 'ITL'],
  PUBLIC_URL: [
    'canary',
    'market.example',
    'ftp://canary.example',
    'https://canary:secret@x.example',
    'https://x.example/?canary',
    'https://x.example/#canary',
    '//canary',
  ],
  N8N_URLS: ['canary', 'https://n8n.example,canary', 'ftp://canary.example', 'https://a:canary@x.example', ','],
  KEY_CACHE_SECONDS: ['canary', '-1', '3601', '1.5', 'off'],
  KEEP_ALIVE_SECONDS: ['canary', '0', '3601', '1.5', 'off'],
  PANEL: ['canary', 'ON', 'yes', 'true', '1'],
  PASSWORDS: ['canary', 'OFF', 'no', 'false'],
  OAUTH_SERVER: ['canary', 'ON', 'yes', 'true', '1'],
  BRAND_NAME: ['canary\n1', 'canary\u2028x', 'canary'.repeat(11), ' '],
  BRAND_LOGO: ['/canary/none.svg', '/etc/hostname'],
  CATALOGUE: ['canary', 'PUBLIC', 'on', 'true', 'private'],
  SEARCH: ['canary', 'OFF', 'no', 'false', '0'],
  FIRST_OPERATOR: ['Canary', 'canary canary', '-canary', 'oauth:canary'],
  DRAIN_SECONDS: ['canary', '-1', '3601'],
  LOG_LEVEL: ['canary', 'INFO', 'verbose'],
  OAUTH_ISSUER: [
    'canary',
    'http://canary.example',
    'ftp://canary',
    'https://a:canary@x.example',
    'https://x.example/?canary',
    'https://x.example/#canary',
    'https://x.example/ canary',
    'http://127.0.0.1.canary.example',
    'http://localhost.canary',
  ],
  OAUTH_SUBJECT: ['canary canary', 'c\u00e4nary', 'canary'.repeat(43)],
  OAUTH_JWKS_URL: [
    'canary',
    'http://canary.example',
    'ftp://canary',
    'https://a:canary@x.example',
    'https://x.example/ canary',
  ],
  OAUTH_AUDIENCE: ['two canaries', 'canary\u00e9', 'canary\n'],
  SIGN_IN_ISSUER: ['canary', 'http://canary.example', 'https://a:canary@x.example', 'http://localhost.canary'],
  SIGN_IN_CLIENT_ID: ['two canaries', 'canary\u00e9'],
  SIGN_IN_CLIENT_SECRET: ['two canaries', 'canary\u00e9'],
  SIGN_IN_CLIENT_SECRET_FILE: ['/canary/none'],
  SIGN_IN_NAME: ['canary\n1', 'canary'.repeat(11)],
  SIGN_IN_SCOPES: ['canary', 'openid\ncanary', 'OpenID canary'],
  SIGN_IN_SUBJECT: ['canary canary', 'c\u00e4nary'],
  SIGN_IN_ROLES_CLAIM: ['canary canary', 'c\u00e4nary'],
  SIGN_IN_OPERATORS: [',', 'canary,'],
  SIGN_IN_DEVELOPERS: [',canary'],
  SIGN_IN_BUYERS: ['canary,,canary'],
  SIGN_IN_REQUIRE: ['canary', '=canary', 'canary='],
  SIGN_IN_ROLE: ['canary', 'Buyer', 'admin'],
  MONGODB_URL: ['canary', 'http://canary', 'mongodb://'],
  MONGODB_URL_FILE: ['/canary/none'],
  POSTGRES_URL: [
    'canary',
    'http://canary',
    'postgres://',
    'postgres://a:canary@x,y/market',
    'postgres://x/?sslmode=canary',
  ],
  POSTGRES_URL_FILE: ['/canary/none'],
  POSTGRES_SCHEMA: ['c'.repeat(64), 'pg_canary', '\u00fc'.repeat(32)],
  RATE_LIMIT_READS: ['canary', '0', '-1', '1000001', 'OFF'],
  RATE_LIMIT_CREATES: ['canary', '1.5'],
  RATE_LIMIT_PAGES: ['canary', '0', '1000001'],
  RATE_LIMIT_FAILED_AUTH: ['canary', 'on'],
  SHARED_NETWORKS: [
    'canary',
    '192.0.2.1',
    '192.0.2.0/33',
    '2001:db8::/129',
    '192.0.2.0/24;198.51.100.0/24',
    'canary.example/24',
  ],
  TRUSTED_PROXY_HOPS: ['canary', '-1', '11'],
  METRICS_TOKEN: ['canary canary', 'c\u00e4nary-canary-canary'],
  METRICS_TOKEN_FILE: ['/canary/none'],
  TLS_CERT: ['/canary/none.crt'],
  TLS_KEY: ['/canary/none.key'],
};

/** Every variable bad at once. */
const ALL_BAD: Environment = Object.fromEntries(Object.entries(BAD).map(([name, [value]]) => [name, value]));

/** Which then are one mistake more, since each stands beside another. */
const BESIDE = [
  ...['MONGODB_URL_FILE', 'POSTGRES_URL_FILE', 'METRICS_TOKEN_FILE', 'SIGN_IN_CLIENT_SECRET_FILE'],
  'SIGN_IN_ROLE',
];

function mistakesOf(environment: Environment): readonly string[] {
  try {
    readConfig(environment);
  } catch (error) {
    if (error instanceof ConfigError) return error.mistakes;
    throw error;
  }
  return [];
}

describe('The configuration', () => {
  let folder = '';
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'marketplace-config-'));
  });
  after(() => rmSync(folder, { recursive: true }));

  it('has a default for everything', () => {
    const { tls, ...rest } = readConfig({});
    expect(tls).to.equal(undefined);
    expect(rest).to.include({ HOST: '127.0.0.1', PORT: 3000, STORAGE: 'sqlite', DATA_DIR: './data' });
    expect(rest).to.include({ TRUSTED_PROXY_HOPS: 0, RATE_LIMIT_READS: 600, RATE_LIMIT_CREATES: 60 });
    expect(rest).to.include({ RATE_LIMIT_FAILED_AUTH: 30, RATE_LIMIT_PAGES: 300, SEARCH: true });
    expect(rest).to.include({ PUBLIC_URL: '', KEY_CACHE_SECONDS: 5, PANEL: true, DRAIN_SECONDS: 2, LOG_LEVEL: 'info' });
  });

  it('reads networks of many people as blocks of addresses', () => {
    const { SHARED_NETWORKS: isShared } = readConfig({
      SHARED_NETWORKS: '192.0.2.0/24, 2001:db8::/32,198.51.100.7/32',
    });
    const shared = ['192.0.2.1', '::ffff:192.0.2.1', '2001:db8:1::1', '2001:DB8::1%eth0', '198.51.100.7'];
    const others = ['192.0.3.1', '2001:db9::1', '198.51.100.8', '', 'unknown', '::ffff:198.51.100.8'];
    expect(shared.map((address) => isShared && isShared(address))).to.deep.equal(shared.map(() => true));
    expect(others.map((address) => isShared && isShared(address))).to.deep.equal(others.map(() => false));
    expect(readConfig({}).SHARED_NETWORKS).to.equal('');
  });

  it('has no currency unless one is given: that of the store counts', () => {
    expect(readConfig({})).to.include({ CURRENCY: undefined });
    expect(readConfig({ CURRENCY: 'USD' })).to.include({ CURRENCY: 'USD' });
  });

  it('takes the panel away with PANEL=off', () => {
    expect(readConfig({ PANEL: 'on' })).to.include({ PANEL: true });
    expect(readConfig({ PANEL: 'off' })).to.include({ PANEL: false });
    expect(readConfig({})).to.include({ CATALOGUE: 'members' });
    expect(readConfig({ PANEL: 'off' })).to.include({ CATALOGUE: 'off' });
    expect(readConfig({ PANEL: 'off', CATALOGUE: 'public' })).to.include({ CATALOGUE: 'public' });
    expect(mistakesOf({ PANEL: 'off', CATALOGUE: 'members' }).join()).to.match(/^CATALOGUE must not be members/);
  });

  it('has no authorization server with OAUTH_SERVER=off or PANEL=off: nobody could consent', () => {
    expect(readConfig({})).to.include({ OAUTH_SERVER: true });
    expect(readConfig({ OAUTH_SERVER: 'off' })).to.include({ OAUTH_SERVER: false });
    expect(readConfig({ PANEL: 'off' })).to.include({ OAUTH_SERVER: false });
    expect(readConfig({ PANEL: 'off' }).warnings).to.deep.equal([]);
    const { OAUTH_SERVER, warnings } = readConfig({ PANEL: 'off', OAUTH_SERVER: 'on' });
    expect(OAUTH_SERVER).to.equal(false);
    expect(warnings).to.deep.equal(['OAUTH_SERVER is not used, since PANEL is off: no developer could consent']);
  });

  it('finds nothing by words with SEARCH=off', () => {
    expect(readConfig({ SEARCH: 'on' })).to.include({ SEARCH: true });
    expect(readConfig({ SEARCH: 'off' })).to.include({ SEARCH: false });
  });

  it('takes the slashes from the end of PUBLIC_URL', () => {
    for (const PUBLIC_URL of [
      'https://x.example',
      'https://x.example/',
      'https://x.example//',
      'https://x.example/?',
      'https://x.example#',
    ])
      expect(readConfig({ PUBLIC_URL }).PUBLIC_URL).to.equal('https://x.example');
    expect(readConfig({ PUBLIC_URL: 'https://x.example/shop//' }).PUBLIC_URL).to.equal('https://x.example/shop');
  });

  it('takes an empty variable for one that is not set', () => {
    const empty = Object.fromEntries(Object.keys(BAD).map((name) => [name, '']));
    expect(readConfig(empty)).to.deep.equal(readConfig({}));
  });

  for (const [name, values] of Object.entries(BAD))
    for (const value of values)
      it(`refuses ${name}=${value} by its name`, () => {
        const mistakes = mistakesOf({ [name]: value });
        expect(mistakes[0]).to.match(new RegExp(`^${name} must `));
        expect(mistakes.join()).not.to.include('canary');
      });

  for (const [what, values] of Object.entries({
    'must not have quotes around it': ['"x"', "'x'", '`x`', '\u201Cx\u201D', '""'],
    'must not begin or end with a blank': [' x', 'x ', '\u00a0x', 'x\u3000', ' '],
    'must not have control characters, such as a carriage return': ['x\r', 'a\tb', 'x\n', '\u0000', 'x\u0085'],
  }))
    it(`refuses any setting whose value ${what.replace('must not have', 'has').replace('must not', 'does')}`, () => {
      for (const name of Object.keys(SETTINGS))
        for (const value of values) expect(mistakesOf({ [name]: value }), name).to.include(`${name} ${what}`);
      for (const [name, { secret }] of Object.entries(ALL_SETTINGS))
        if (secret && name in SETTINGS)
          for (const value of values)
            expect(mistakesOf({ [`${name}_FILE`]: value })).to.include(`${name}_FILE ${what}`);
    });

  it('takes quotes within a value, and an apostrophe at its end', () => {
    for (const BRAND_NAME of ['The "Best" Market', "Ada's", '"A" and B', "the sisters'"])
      expect(readConfig({ BRAND_NAME }).BRAND_NAME).to.equal(BRAND_NAME);
  });

  it('warns of the address of a database that is not used, without its value', () => {
    const warnings = (environment: Environment) => readConfig(environment).warnings;
    const POSTGRES_URL = 'postgres://ada:canary@127.0.0.1/market';
    expect(warnings({ POSTGRES_URL })).to.deep.equal([
      'POSTGRES_URL is not used, since STORAGE is sqlite; set STORAGE=postgresql to use it',
    ]);
    expect(warnings({ POSTGRES_SCHEMA: 'market' })).to.deep.equal([
      'POSTGRES_SCHEMA is not used, since STORAGE is sqlite; set STORAGE=postgresql to use it',
    ]);
    expect(warnings({ STORAGE: 'postgresql', POSTGRES_URL, POSTGRES_SCHEMA: 'market' })).to.deep.equal([]);
  });

  it('warns of a variable one letter off a setting, by its name alone, also next to mistakes', () => {
    const warnings = (environment: Environment) => readConfig(environment).warnings;
    for (const [name, meant] of [
      ['POTR', 'PORT'],
      ['PORTS', 'PORT'],
      ['PRT', 'PORT'],
      ['XDATA_DIR', 'DATA_DIR'],
      ['DATADIR', 'DATA_DIR'],
      ['DATE_DIR', 'DATA_DIR'],
      ['MONGDB_URL', 'MONGODB_URL'],
      ['POSTGRESS_URL_FILE', 'POSTGRES_URL_FILE'],
      ['MARKETPLACE_KEYS', 'MARKETPLACE_KEY'],
    ] as const)
      expect(warnings({ [name]: 'canary' })).to.deep.equal([`${name} is not a setting; did you mean ${meant}?`]);
    const usual = ['PATH', 'HOME', 'HOSTNAME', 'USER', 'LANG', 'TERM', 'SHELL', 'PWD', 'NODE_OPTIONS', 'TZ', 'LOGNAME'];
    expect(warnings(Object.fromEntries(usual.map((name) => [name, 'x'])))).to.deep.equal([]);
    expect(warnings(Object.fromEntries(Object.keys(SETTINGS).map((name) => [name, ''])))).to.deep.equal([]);
    expect(mistakesOf({ STORAGE: 'postgresql', POSTGRESS_URL: 'canary' })).to.deep.equal([
      'POSTGRES_URL is missing; STORAGE=postgresql needs it, or POSTGRES_URL_FILE',
      'POSTGRESS_URL is not a setting; did you mean POSTGRES_URL?',
    ]);
  });

  it('has every setting in a table of docs/, with its default, and no other setting there', () => {
    const rows = readdirSync('docs')
      .filter((file) => file.endsWith('.md'))
      .flatMap((file) => readFileSync(join('docs', file), 'utf8').split('\n'))
      .filter((line) => /^\| `[A-Z][A-Z\d_]+`/.test(line))
      .map((line) =>
        line
          .split('|')
          .slice(1)
          .map((cell) => Array.from(cell.matchAll(/`([^`]+)`/g), ([, text]) => text)),
      );
    const documented = new Map(
      rows.flatMap(([names = [], texts = []]) => names.map((name, n) => [name, texts[n] ?? ''])),
    );
    const known = Object.entries(ALL_SETTINGS).flatMap(([name, { default: text, secret }]): [string, string][] =>
      secret
        ? [
            [name, text],
            [`${name}_FILE`, ''],
          ]
        : [[name, text]],
    );
    expect(Object.fromEntries(documented)).to.deep.equal(Object.fromEntries(known));
  });

  it('lists every mistake at once', () => {
    const mistakes = mistakesOf(ALL_BAD);
    expect(mistakes.map((mistake) => mistake.split(' ')[0])).to.have.members([...Object.keys(BAD), ...BESIDE]);
  });

  it('lets people sign in at an issuer that is whole, and that does not let everyone in', () => {
    const issuer = {
      SIGN_IN_ISSUER: 'https://login.example',
      SIGN_IN_CLIENT_ID: 'market',
      SIGN_IN_CLIENT_SECRET: 'key',
    };
    const byClaim = { ...issuer, SIGN_IN_ROLES_CLAIM: 'realm_access.roles', SIGN_IN_DEVELOPERS: 'sellers, makers' };
    expect(readConfig({}).signIn).to.equal(undefined);
    expect(readConfig(byClaim).signIn).to.deep.include({
      issuer: 'https://login.example',
      name: 'your organisation',
      scopes: 'openid profile email',
      subject: 'sub',
      roles: { claim: 'realm_access.roles', operators: [], developers: ['sellers', 'makers'], buyers: [] },
    });
    const { signIn } = readConfig({ ...issuer, SIGN_IN_REQUIRE: 'hd=corp.example', SIGN_IN_ROLE: 'developer' });
    expect(signIn).to.deep.include({ required: { claim: 'hd', value: 'corp.example' }, role: 'developer' });
    expect(signIn?.roles).to.equal(undefined);
    const mistakes: readonly (readonly [Environment, string])[] = [
      [{ SIGN_IN_ISSUER: issuer.SIGN_IN_ISSUER }, 'SIGN_IN_CLIENT_ID is missing; SIGN_IN_ISSUER needs it'],
      [{ SIGN_IN_NAME: 'Example' }, 'SIGN_IN_ISSUER is missing; SIGN_IN_NAME needs it'],
      [issuer, 'SIGN_IN_ROLES_CLAIM or SIGN_IN_REQUIRE is missing: without them, everyone'],
      [{ ...issuer, SIGN_IN_ROLES_CLAIM: 'groups' }, 'SIGN_IN_ROLES_CLAIM needs one of SIGN_IN_OPERATORS'],
      [
        { ...issuer, SIGN_IN_REQUIRE: 'a=b', SIGN_IN_BUYERS: 'all' },
        'SIGN_IN_ROLES_CLAIM is missing; SIGN_IN_BUYERS needs it',
      ],
      [{ ...byClaim, SIGN_IN_ROLE: 'buyer' }, 'SIGN_IN_ROLE must not be set next to SIGN_IN_ROLES_CLAIM'],
      [{ PASSWORDS: 'off' }, 'PASSWORDS is off, and SIGN_IN_ISSUER is missing: nobody could sign in'],
      [{ ...byClaim, PANEL: 'off' }, 'SIGN_IN_ISSUER needs the panel, and PANEL is off'],
    ];
    for (const [environment, mistake] of mistakes)
      expect(mistakesOf(environment)[0]).to.match(new RegExp(`^${mistake}`));
  });

  it('wants a certificate and its own key, both of them', () => {
    const [one, other] = [newCertificate(folder, 'one'), newCertificate(folder, 'other')];
    const text = join(folder, 'text');
    writeFileSync(text, 'no PEM');
    expect(readConfig({ TLS_CERT: one.cert, TLS_KEY: one.key }).tls).to.deep.equal({ cert: one.cert, key: one.key });
    expect(mistakesOf({ TLS_CERT: one.cert })).to.deep.equal([
      'TLS_KEY is missing; TLS needs both TLS_CERT and TLS_KEY',
    ]);
    expect(mistakesOf({ TLS_KEY: one.key })).to.deep.equal([
      'TLS_CERT is missing; TLS needs both TLS_CERT and TLS_KEY',
    ]);
    expect(mistakesOf({ TLS_CERT: '/nowhere' }))
      .to.have.length(2)
      .and.include('TLS_KEY is missing; TLS needs both TLS_CERT and TLS_KEY');
    for (const [TLS_CERT, TLS_KEY] of [
      [one.cert, other.key],
      [one.key, one.cert],
      [one.cert, text],
      [folder, one.key],
    ] as const)
      expect(mistakesOf({ TLS_CERT, TLS_KEY }), `${TLS_CERT} ${TLS_KEY}`).to.have.length(1);
  });

  it('wants a secret in one place, and something in its file', () => {
    const [empty, full] = [join(folder, 'empty'), join(folder, 'full')];
    writeFileSync(empty, ' \n');
    writeFileSync(full, 'canary-of-the-metrics\n');
    expect(mistakesOf({ METRICS_TOKEN_FILE: empty })).to.deep.equal([
      'METRICS_TOKEN_FILE must name a file that is not empty',
    ]);
    expect(mistakesOf({ METRICS_TOKEN: 'a b', METRICS_TOKEN_FILE: full }))
      .to.have.length(2)
      .and.include('METRICS_TOKEN_FILE must not be set together with METRICS_TOKEN');
    expect(mistakesOf({ METRICS_TOKEN: 'a', METRICS_TOKEN_FILE: full })).to.deep.equal([
      'METRICS_TOKEN_FILE must not be set together with METRICS_TOKEN',
    ]);
    expect(readConfig({ METRICS_TOKEN_FILE: full }).METRICS_TOKEN).to.equal('canary-of-the-metrics');
  });

  it('takes a secret from its file as from its variable, and checks it as closely', () => {
    const file = join(folder, 'secret');
    const fromFile = (name: string, text: string) => {
      writeFileSync(file, `${text}\n`);
      return { [`${name}_FILE`]: file };
    };
    const url = 'mongodb://ada:canary@db.example/market';
    expect(readConfig({ STORAGE: 'mongodb', ...fromFile('MONGODB_URL', url) }).MONGODB_URL).to.equal(url);
    const [mistake, ...more] = mistakesOf({ STORAGE: 'mongodb', ...fromFile('MONGODB_URL', `${url}?w=1`) });
    expect(mistake)
      .to.match(/^MONGODB_URL_FILE must leave w at majority/)
      .and.not.to.include('canary');
    expect(more).to.deep.equal([]);
    expect(mistakesOf({ STORAGE: 'mongodb', MONGODB_URL: url, ...fromFile('MONGODB_URL', url) })).to.deep.equal([
      'MONGODB_URL_FILE must not be set together with MONGODB_URL',
    ]);
    expect(mistakesOf(fromFile('METRICS_TOKEN', 'two canaries'))).to.deep.equal([
      'METRICS_TOKEN_FILE must be visible ASCII characters without spaces',
    ]);
  });

  it('wants a connection string where MongoDB is the storage', () => {
    expect(mistakesOf({ STORAGE: 'mongodb' })).to.deep.equal([
      'MONGODB_URL is missing; STORAGE=mongodb needs it, or MONGODB_URL_FILE',
    ]);
    expect(mistakesOf({ STORAGE: 'postgresql' })).to.deep.equal([
      'POSTGRES_URL is missing; STORAGE=postgresql needs it, or POSTGRES_URL_FILE',
    ]);
  });

  it('takes the least and the most that it allows, and audiences up to 1,000 characters', () => {
    const numbers = (port: number, seconds: number, hops: number, rate: number) => ({
      PORT: String(port),
      KEY_CACHE_SECONDS: String(seconds),
      DRAIN_SECONDS: String(seconds),
      TRUSTED_PROXY_HOPS: String(hops),
      RATE_LIMIT_READS: String(rate),
    });
    const read = (environment: Environment) => {
      const config = readConfig(environment);
      const { PORT, KEY_CACHE_SECONDS, DRAIN_SECONDS, TRUSTED_PROXY_HOPS, RATE_LIMIT_READS } = config;
      return [PORT, KEY_CACHE_SECONDS, DRAIN_SECONDS, TRUSTED_PROXY_HOPS, RATE_LIMIT_READS];
    };
    expect(read(numbers(0, 0, 0, 1))).to.deep.equal([0, 0, 0, 0, 1]);
    expect(read(numbers(65_535, 3_600, 10, 1_000_000))).to.deep.equal([65_535, 3_600, 3_600, 10, 1_000_000]);
    const of = (length: number) =>
      mistakesOf({ OAUTH_ISSUER: 'https://login.example', OAUTH_AUDIENCE: 'a'.repeat(length) });
    expect(of(1_000)).to.deep.equal([]);
    expect(of(1_001)[0]).to.match(/^OAUTH_AUDIENCE must /);
  });

  it('says which of the two files of TLS is not good, also when they are read again', () => {
    const { cert, key } = newCertificate(folder, 'named');
    expect(() => readTls({ cert, key: join(folder, 'none') })).to.throw(
      'TLS_KEY must name a PEM file that can be read',
    );
    expect(() => readTls({ cert: folder, key })).to.throw('TLS_CERT must name a PEM file that can be read');
  });

  it('wants an issuer and an audience, both of them, and takes them to the letter', () => {
    const [OAUTH_ISSUER, OAUTH_AUDIENCE] = ['https://login.example/Tenant/', 'urn:market'];
    expect(readConfig({ OAUTH_ISSUER, OAUTH_AUDIENCE }).accessTokens).to.deep.equal({
      issuer: OAUTH_ISSUER,
      audience: OAUTH_AUDIENCE,
      subject: 'sub',
    });
    const OAUTH_JWKS_URL = 'https://keycloak.internal:8443/certs?x=1';
    expect(readConfig({ OAUTH_ISSUER, OAUTH_AUDIENCE, OAUTH_JWKS_URL }).accessTokens).to.deep.equal({
      issuer: OAUTH_ISSUER,
      audience: OAUTH_AUDIENCE,
      subject: 'sub',
      jwksUrl: OAUTH_JWKS_URL,
    });
    const OAUTH_SUBJECT = 'oid';
    expect(readConfig({ OAUTH_ISSUER, OAUTH_AUDIENCE, OAUTH_SUBJECT }).accessTokens).to.include({ subject: 'oid' });
    expect(mistakesOf({ OAUTH_SUBJECT })).to.deep.equal(['OAUTH_ISSUER is missing; OAUTH_SUBJECT needs it']);
    expect(mistakesOf({ OAUTH_JWKS_URL })).to.deep.equal(['OAUTH_ISSUER is missing; OAUTH_JWKS_URL needs it']);
    for (const issuer of ['http://localhost:8080', 'http://127.0.0.1', 'http://127.9.9.9/x', 'http://[::1]:1/'])
      expect(mistakesOf({ OAUTH_ISSUER: issuer, OAUTH_AUDIENCE }), issuer).to.deep.equal([]);
    const needs = 'access tokens need both OAUTH_ISSUER and OAUTH_AUDIENCE';
    expect(mistakesOf({ OAUTH_ISSUER })).to.deep.equal([`OAUTH_AUDIENCE is missing; ${needs}`]);
    expect(mistakesOf({ OAUTH_ISSUER: 'http://login.example' }))
      .to.have.length(2)
      .and.include(`OAUTH_AUDIENCE is missing; ${needs}`);
    expect(mistakesOf({ OAUTH_AUDIENCE })).to.deep.equal([`OAUTH_ISSUER is missing; ${needs}`]);
    expect(readConfig({}).accessTokens).to.equal(undefined);
  });

  it('shows no private key and no password when it is printed', () => {
    const { cert, key } = newCertificate(folder);
    const config = readConfig({
      TLS_CERT: cert,
      TLS_KEY: key,
      MONGODB_URL: 'mongodb://ada:canary@127.0.0.1/market',
      POSTGRES_URL: 'postgres://ada:canary@127.0.0.1/market',
      METRICS_TOKEN: 'canary-of-the-metrics',
    });
    const printed = [inspect(config, { depth: 9 }), JSON.stringify(config), JSON.stringify({ ...config })].join();
    for (const form of ['PRIVATE', '2d 2d 2d', '45,45,45', 'LS0t', 'canary']) expect(printed).not.to.include(form);
  });

  it('ends the program before it listens when it is wrong, and prints no value', async () => {
    const place = await Workplace.open();
    const environment = {
      ...Object.fromEntries(Object.entries(BAD).map(([name, [value = '']]) => [name, value])),
      HOST: '192.0.2.1',
      DATA_DIR: '/proc/none',
    };
    const { code, stdout, stderr } = await place.run(['serve'], environment);
    await place.clear();
    expect(code).to.equal(1);
    expect(stdout).to.equal('');
    for (const name of Object.keys(environment)) expect(stderr).to.include(`  ${name} must `);
    expect(stderr).not.to.include('canary');
    expect(stderr).not.to.match(/^\s+at /m);
  });
});
