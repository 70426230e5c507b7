import { expect } from 'chai';
import { sha256 } from '../../../application/defaults.js';
import type { DeveloperId } from '../../../domain/access.js';
import { checkPublicName, checkWebsite, publicDeveloper, publicNameKey } from '../../../domain/public-developer.js';
import { checking } from './failure.js';

const codesOf = ({ broken }: ReturnType<typeof checking>) => broken.map(({ code }) => code);

describe('a public name', () => {
  for (const name of ['Z', '7', 'Zoë & Söhne', '東京', 'हिन्दी', 'שלום', '🙂 x', '🙂'.repeat(59) + 'x'])
    it(`may be ${JSON.stringify(name)}`, () => {
      expect(checking((report) => checkPublicName(` ${name} `, report))).to.deep.equal({ value: name, broken: [] });
    });

  for (const [name, code] of [
    ['x'.repeat(61), 'too-long'],
    ['🙂', 'invalid-text'],
    ['— & —', 'invalid-text'],
    ['\u200B', 'invalid-text'],
    ['a\nb', 'invalid-text'],
    ['a\u202Eb', 'invalid-text'],
    [7, 'wrong-type'],
  ] as const)
    it(`may not be ${JSON.stringify(name)}`, () => {
      expect(codesOf(checking((report) => checkPublicName(name, report)))).to.include(code);
    });

  it('has a key of its words in their order', () => {
    const same = ['Zoë & Söhne', 'zoe sohne', '«ZOE»-SÖHNE!', 'zoe\u0308\tsohne'];
    expect(new Set(same.map(publicNameKey))).to.have.length(1);
    const others = ['Zoe Sohne', 'Sohne Zoe', 'Zoe', 'Zoe Zoe Sohne', 'ZoeSohne'];
    expect(new Set(others.map(publicNameKey))).to.have.length(others.length);
  });
});

describe('a website', () => {
  for (const address of [
    'https://ada.example',
    'HTTPS://ada.example/',
    'https://zoë.example:8443/a?b=c#d',
    'https://[2001:db8::1]/',
    'https://ada.example?x',
  ])
    it(`may be ${address}`, () => {
      expect(checking((report) => checkWebsite(` ${address} `, report))).to.deep.equal({ value: address, broken: [] });
    });

  for (const address of [
    ...['http://ada.example', 'ada.example', '//ada.example', 'javascript:alert(1)//https://', 'https:ada.example'],
    ...['https:\\\\ada.example', 'https://ada@evil.example', 'https://u:p@evil.example/', 'https://', 'https:///x'],
    ...['https://a b.example', 'https://ada.example/a b', 'https://ada.example\\@evil', 'https://ada.example:99999'],
    ...['https://[::1', ` data:text/html,https://`, `https://ada.example/${'x'.repeat(500)}`],
  ])
    it(`may not be ${address.slice(0, 60)}`, () => {
      expect(checking((report) => checkWebsite(address, report)).broken).not.to.deep.equal([]);
    });
});

describe('a developer in public', () => {
  it('has a slug, and a name of their own or the slug', () => {
    const ada = 'ada' as DeveloperId;
    expect(publicDeveloper(ada, undefined, sha256)).to.deep.equal({ slug: 'ada', name: 'ada' });
    const profile = { publicName: 'Ada Ltd', website: 'https://ada.example' };
    expect(publicDeveloper(ada, profile, sha256)).to.deep.equal({
      slug: 'ada',
      name: 'Ada Ltd',
      website: 'https://ada.example',
    });
  });

  it('is not shown by the subject of a token, which may be an e-mail address', () => {
    const id = 'oauth:ada@home.example' as DeveloperId;
    const slug = `token-${sha256(id).slice(0, 12)}`;
    expect(slug).to.match(/^token-[0-9a-f]{12}$/);
    expect(publicDeveloper(id, undefined, sha256)).to.deep.equal({ slug, name: slug });
    expect(publicDeveloper(id, { publicName: 'Ada' }, sha256)).to.deep.equal({ slug, name: 'Ada' });
  });
});
