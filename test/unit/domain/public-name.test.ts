import { expect } from 'chai';
import { asciiLookAlikes } from '../../../domain/look-alikes.js';
import { checkPublicName, developerIdKey, publicNameKeys, publicNamePart } from '../../../domain/public-name.js';
import { HONEST_NAMES, LOOK_ALIKES } from '../../contracts/look-alikes.js';
import { ORDINARY_NAMES } from '../../support/ordinary-names.js';
import { checking } from './failure.js';

const check = (name: unknown, brandName?: string) => checking((report) => checkPublicName(name, report, brandName));
const brokenOf = (name: unknown, brandName?: string) =>
  check(name, brandName).broken.map(({ code, detail }) => `${code}: ${detail}`);

const MIXED = 'invalid-text: must not mix letters of different scripts in one word';
const RESERVED = 'taken: is kept for the marketplace itself; choose another';
const TOO_LONG = 'too-long: must have 1 to 60 characters';

describe('A public name', () => {
  for (const name of ['Z', '7', '🙂'.repeat(59) + 'x', ...HONEST_NAMES])
    it(`may be ${JSON.stringify(name)}`, () => {
      expect(check(` ${name} `)).to.deep.equal({ value: name, broken: [] });
    });

  for (const [name, code] of [
    ['🙂', 'invalid-text'],
    ['— & —', 'invalid-text'],
    ['\u200B', 'invalid-text'],
    ['a\nb', 'invalid-text'],
    ['a\u202Eb', 'invalid-text'],
    [7, 'wrong-type'],
  ] as const)
    it(`may not be ${JSON.stringify(name)}`, () => {
      expect(check(name).broken.map((each) => each.code)).to.include(code);
    });

  it('that is too long is refused for its length alone: nothing of it is folded', () => {
    const long = ['x'.repeat(61), `@${'x'.repeat(1_000_000)}`, 'aа'.repeat(500_000), '\uFDFA'.repeat(61)];
    for (const name of long) expect(brokenOf(name)).to.deep.equal([TOO_LONG]);
  });

  it('may not mix scripts in one word', () => {
    const mixed = ['АDA', 'PаyPal', 'νolvo', 'а\u200Dda', 'Ada שלוםa', 'カа', '서а울', 'ㄅ한', 'ㄅカ', 'हিন্দী', '𐌀𐌰'];
    for (const name of mixed) expect(brokenOf(name), name).to.deep.equal([MIXED]);
  });

  it('may have words of several scripts', () => {
    const names = ['Ada Лтд', 'IT-компания', 'Ελλάδα/Greece', 'שלום Ada', '東京Tokyo Москва', 'Привет😀World'];
    for (const name of names) expect(brokenOf(name), name).to.deep.equal([]);
  });
});

describe('A public name shows no house', () => {
  const BRAND = 'Автоматы & Co';

  for (const name of ['Automation-Marketplace', 'AutomationMarketplace', 'Marketplace Support', 'support (admin)'])
    it(`and may not be ${JSON.stringify(name)}, which has no other words`, () => {
      expect(brokenOf(name, 'Automation Marketplace')).to.deep.equal([RESERVED]);
    });

  for (const name of [
    ...['operator', 'Operator', '0PERATOR', 'оperatоr', 'admin', 'ADMlN', 'adrnin', 'support', 'Support\u3000'],
    'ꮪupport',
    ...['marketplace', 'Marketp1ace', 'rnarketplace', 'ＭＡＲＫＥＴＰＬＡＣＥ', 'market\u2060place'],
    ...['@ada', '＠ada', '\uFE6Bada', '\u2800@ada'],
    ...['Автоматы & Co', 'АВТОМАТЫ  & CO', 'Автоматы & Со'],
  ])
    it(`and may not be ${JSON.stringify(name)}`, () => {
      expect(check(name, BRAND).broken.length).to.equal(1);
      expect([RESERVED, MIXED]).to.include(brokenOf(name, BRAND)[0]);
    });

  for (const name of [
    ...[
      'operators',
      'Support Ltd',
      'token-0123456789ab',
      'oauth:ada',
      'Person-7',
      'ada@home',
      'Автоматы',
      'The Admin',
      'OAuth Ltd',
    ],
  ])
    it(`but may be ${JSON.stringify(name)}`, () => expect(brokenOf(name, BRAND)).to.deep.equal([]));

  it('when the house has a name; without one, no name is its', () => {
    expect(brokenOf('Acme', 'acme')).to.deep.equal([RESERVED]);
    expect(brokenOf('Acme', '')).to.deep.equal([]);
    expect(brokenOf('Acme')).to.deep.equal([]);
  });
});

/** What ids of ours consist of, or nothing that can be seen. */
const OF_IDS = /^[a-z0-9\p{Default_Ignorable_Code_Point}\p{Cf}-]+$/u;

describe('The keys of public names', () => {
  it('more than 100 pairs that look alike are looked at', () => {
    expect(LOOK_ALIKES.length).to.be.at.least(120);
    expect(new Set(LOOK_ALIKES.flat()).size).to.equal(2 * LOOK_ALIKES.length);
  });

  for (const [name, other] of LOOK_ALIKES)
    it(`${JSON.stringify(other)} looks like ${JSON.stringify(name)}`, () => {
      const [one, two] = [publicNameKeys(name), publicNameKeys(other)];
      expect(one.folded === two.folded || one.skeleton === two.skeleton).to.equal(true);
    });

  it('names of different pairs, and honest names of many scripts, have none in common', () => {
    const names = new Set([...LOOK_ALIKES.map(([name]) => name), ...HONEST_NAMES]);
    for (const key of ['folded', 'skeleton'] as const)
      expect(new Set(Array.from(names, (name) => publicNameKeys(name)[key])).size).to.equal(names.size);
  });

  it('a public name with the folded form of an id of ours has its skeleton, too, for every character', () => {
    for (let point = 0; point <= 0x10ffff; point += 1) {
      const character = String.fromCodePoint(point);
      if (!OF_IDS.test(character.normalize('NFKC').toLowerCase())) continue;
      const { folded, skeleton } = publicNameKeys(`a${character}b`);
      expect(developerIdKey(folded), folded).to.equal(skeleton);
    }
  });

  it('the longest keys have 2,000 bytes', () => {
    for (const character of ['\uFDFA', 'm', '🙂', 'Ꜩ', 'ﷻ', '\u1F82', '\u{1D160}'])
      for (const key of ['folded', 'skeleton'] as const)
        expect(Buffer.byteLength(publicNameKeys(character.repeat(60))[key])).to.be.at.most(2_000);
  });

  it('the table of look-alikes has every character once', () => {
    expect(asciiLookAlikes.size).to.equal(375);
    for (const [character, ascii] of asciiLookAlikes) {
      expect(ascii).to.match(/^[a-z0-9',.-]+$/);
      expect(character.normalize('NFKD')).to.equal(character);
    }
  });

  it('a part of a name is a part of its folded form; one that no name can have is empty', () => {
    const { folded } = publicNameKeys('Søren & Sons');
    for (const text of ['SØREN', 'n  &', '\uFF33ons', 'so\u200Bns', ' '])
      expect(folded, text).to.include(publicNamePart(text));
    expect(folded).not.to.include(publicNamePart('Soren'));
    expect(['', ' ', '\u200B', 's'.repeat(61)].map(publicNamePart)).to.deep.equal(['', '', '', '']);
    expect(publicNamePart('S'.repeat(60))).to.equal('s'.repeat(60));
  });

  it('of 1,000 ordinary names, no two have one in common', () => {
    expect(new Set(ORDINARY_NAMES).size).to.equal(1_000);
    for (const key of ['folded', 'skeleton'] as const)
      expect(new Set(ORDINARY_NAMES.map((name) => publicNameKeys(name)[key])).size).to.equal(1_000);
  });
});
