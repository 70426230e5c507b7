import { expect } from 'chai';
import { checkAppKind, checkAppName, checkRedirectUris, isLoopback, type AppKind } from '../../../domain/app.js';
import { Violations } from '../../../domain/errors.js';

/** Returns the addresses, or the codes of what is reported. */
function checked(values: readonly string[], kind: AppKind): readonly string[] {
  const violations = new Violations();
  const uris = checkRedirectUris(values, kind, violations.field('redirectUris'));
  return violations.fields.length === 0 ? uris : violations.fields.map(({ code }) => code);
}

const LONGEST = `https://app.example/${'x'.repeat(480)}`;

describe('The redirect addresses of an app', () => {
  for (const uri of [
    'https://app.example',
    'https://app.example/back?from=market&x=%20',
    'https://app.example:8443/',
    'https://xn--bcher-kva.example/',
    'https://localhost.example/back',
    'https://192.0.2.1/',
    'https://[2001:db8::1]/',
    'http://localhost/back',
    'http://localhost:51004/back',
    'http://LOCALHOST/back',
    'http://127.0.0.1:1/',
    'http://[::1]:8080/back',
    LONGEST,
  ])
    it(`of a server or a program can be ${uri.slice(0, 60)}`, () => {
      for (const kind of ['web', 'native'] as const) expect(checked([uri], kind), kind).to.deep.equal([uri]);
    });

  for (const uri of ['com.example.app:/back', 'com.example.app:back', 'com.example.app://back', 'a.b:/'])
    it(`of a program alone can be ${uri}`, () => {
      expect(checked([uri], 'native')).to.deep.equal([uri]);
      expect(checked([uri], 'web')).to.deep.equal(['invalid-format']);
    });

  for (const uri of [
    'javascript:alert(1)',
    'JAVASCRIPT:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'vbscript:x',
    'file:///etc/passwd',
    'blob:https://app.example/1',
    'ftp://app.example/',
    'ws://localhost/',
    'myapp:/back',
    'localhost:8080/back',
    'com.Example.app:/back',
    'COM.EXAMPLE.APP:/back',
    '.example:/back',
    'com..app:/back',
    'http://app.example/back',
    'http://localhost.example/back',
    'http://127.0.0.1.example/back',
    'http://localhost@app.example/back',
    'http://127.0.0.1:80@app.example/',
    'http://app.example/localhost',
    'http://0.0.0.0/',
    'http://127.0.0.2/',
    'http://[::]/',
    'http://[::2]/',
    'http://[::ffff:192.0.2.1]/',
    'http://lоcalhost/',
    'HTTPS://app.example/',
    'Http://localhost/',
    'https:app.example/back',
    'https:/app.example/back',
    'https:\\\\app.example\\back',
    'https://app.example\\@evil.example/',
    'https://user@app.example/',
    'https://user:secret@app.example/',
    'https://:secret@app.example/',
    'https://app.example/#',
    'https://app.example/back#token',
    'com.example.app:/back#token',
    'https://app.example/a b',
    'https://app.example/bäck',
    'https://bücher.example/',
    'https://',
    'https://app.example:99999/',
    '//app.example/back',
    '/back',
    'app.example',
    '*',
  ])
    it(`can never be ${uri}`, () => {
      for (const kind of ['web', 'native'] as const)
        expect(checked([uri], kind), kind).to.deep.equal(['invalid-format']);
    });

  for (const [uri, code] of [
    ['', 'too-short'],
    ['   ', 'too-short'],
    [`${LONGEST}x`, 'too-long'],
    ['https://app.example/\nhttps://evil.example/', 'invalid-text'],
    ['https://app.example/\u202Ekcab', 'invalid-text'],
    ['https://app.example/\u0000', 'invalid-text'],
  ] as const)
    it(`are reported as ${code} for the text ${JSON.stringify(uri.slice(0, 40))} of ${uri.length} characters`, () => {
      expect(checked([uri], 'web')).to.deep.equal([code]);
    });

  it('have their ends trimmed, since one with a space would never match', () => {
    expect(checked([' https://app.example/ ', 'http://localhost/\t'], 'web')).to.deep.equal([
      'https://app.example/',
      'http://localhost/',
    ]);
  });

  it('are 1 to 10 for a server and a program, and none for a machine', () => {
    for (const kind of ['web', 'native'] as const) {
      expect(checked([], kind), kind).to.deep.equal(['required']);
      expect(checked(Array<string>(10).fill(LONGEST), kind), kind).to.have.length(10);
      expect(checked(Array<string>(11).fill(LONGEST), kind), kind).to.deep.equal(['out-of-range']);
    }
    expect(checked([], 'machine')).to.deep.equal([]);
    expect(checked(['https://app.example/'], 'machine')).to.deep.equal(['out-of-range']);
  });

  it('are refused with the rule and the address that breaks it', () => {
    const violations = new Violations();
    checkRedirectUris(['https://a.example/', 'http://b.example/'], 'web', violations.field('redirectUris'));
    expect(violations.fields).to.deep.equal([
      {
        field: 'redirectUris',
        code: 'invalid-format',
        detail:
          'must begin with https://, or with http:// on localhost, 127.0.0.1 or [::1], and have no fragment, user or ' +
          'space; not http://b.example/',
      },
    ]);
  });
});

describe('An address on the device of a person', () => {
  for (const uri of [
    'http://localhost/',
    'http://LocalHost:51004/back',
    'https://localhost./',
    'https://app.localhost/',
    'http://127.0.0.1/',
    'http://127.1/',
    'http://0x7f000001/',
    'https://127.255.255.254/',
    'http://[::1]:8080/',
    'http://[0:0:0:0:0:0:0:1]/',
  ])
    it(`is ${uri}`, () => {
      expect(isLoopback(uri)).to.equal(true);
    });

  for (const uri of [
    'https://app.example/',
    'https://localhost.example/',
    'https://notlocalhost/',
    'https://127.0.0.1.example/',
    'https://app.example/localhost',
    'https://localhost@app.example/',
    'https://128.0.0.1/',
    'https://[::2]/',
    'com.example.app:/localhost',
    'localhost',
    '',
  ])
    it(`is not "${uri}"`, () => {
      expect(isLoopback(uri)).to.equal(false);
    });
});

describe('An app', () => {
  const codesOf = (check: (violations: Violations) => unknown) => {
    const violations = new Violations();
    check(violations);
    return violations.fields.map(({ code }) => code);
  };

  it('is of one of three kinds', () => {
    for (const kind of ['web', 'native', 'machine'])
      expect(codesOf((violations) => checkAppKind(kind, violations.field('kind')))).to.deep.equal([]);
    for (const kind of ['', 'Web', 'constructor', 'web '])
      expect(
        codesOf((violations) => checkAppKind(kind, violations.field('kind'))),
        kind,
      ).to.deep.equal(['unknown-value']);
  });

  const HOUSE = 'Automation Market';
  const brokenOf = (name: string) => codesOf((violations) => checkAppName(name, violations.field('name'), HOUSE));

  for (const name of [
    ...[
      'Automation-Market',
      'AutomationMarket',
      'Auto mation_Market',
      'The Automation Market app',
      'AUTOMATION  MARKET',
    ],
    ...['Marketplace Support', 'support', 'Your Support!', 'Admin', 'the-operator', 'My Marketplace'],
    ...['Automatiοn Market', 'Ｓupport', 'Supp0rt', 'Súpport', 'Adrnin', 'Sup⁠port', '@ada'],
  ])
    it(`has no name with words of the marketplace, as ${JSON.stringify(name)}`, () => {
      expect(brokenOf(name)).to.deep.equal(['taken']);
    });

  for (const name of [
    ...['Automation', 'Market', 'Market Automation', 'Supporter', 'Operators', 'Administrator', 'Flea Markets'],
    ...['Your account is locked. Choose "Yes, continue"', 'Nightly import', '自動化ツール', 'ADM in a box'],
  ])
    it(`may be called ${JSON.stringify(name)}`, () => expect(brokenOf(name)).to.deep.equal([]));

  it('has a name of 1 to 100 visible characters in one line', () => {
    for (const [name, code] of [
      ['x'.repeat(100), undefined],
      ['😀'.repeat(100), undefined],
      ['x'.repeat(101), 'too-long'],
      [' ', 'too-short'],
      ['a\nb', 'invalid-text'],
      ['a\u202Eb', 'invalid-text'],
      ['\u200B', 'invalid-text'],
    ] as const)
      expect(
        codesOf((violations) => checkAppName(name, violations.field('name'))),
        name,
      ).to.deep.equal(code === undefined ? [] : [code]);
  });
});
