import { expect } from 'chai';
import { COMMON_PASSWORDS } from '../../../domain/common-passwords.js';
import { checkPassword } from '../../../domain/password.js';
import { checking } from './failure.js';

const NAMES = ['Ada Lovelace', 'countess-of-lovelace', 'a1-2024-0815-99'];
const codesOf = (value: unknown) =>
  checking((report) => checkPassword(value, NAMES, report)).broken.map(({ code }) => code);

const GOOD = [
  'correct horse battery stapler',
  'violin-crater-7-moss',
  ' ends in a blank ',
  'ein schöner Tag im Moor',
  '🙂🐙🍋🚲🎻🌋🧩🪁🦔🎈🧵🪀',
  'tab\tand\nline break',
  'vZ7#kq9!Lm2x',
  'u\u0000controls\u0007too',
  'dragonfly over lake',
  'password975318642',
  'x'.repeat(64) + 'yz'.repeat(32),
];

const COMMON = [
  'aaaaaaaaaaaa',
  '123456789012',
  'QWERTYUIOPAS',
  '1qaz2wsx3edc',
  'Password1234',
  'welcome12345',
  'CorrectHorseBatteryStaple',
  'manchesterunited',
  'Ada Lovelace',
  'adalovelace1',
  'ADA LOVELACE 1815',
  'countess-of-lovelace',
  'A1-2024-0815-99',
];

describe('a password', () => {
  for (const value of GOOD)
    it(`may be ${JSON.stringify(value).slice(0, 50)}`, () => expect(codesOf(value)).to.deep.equal([]));

  for (const value of COMMON)
    it(`is not ${JSON.stringify(value)}`, () => expect(codesOf(value)).to.deep.equal(['too-common']));

  it('is none of the list, in any case', () => {
    expect(COMMON_PASSWORDS.size).to.be.above(250);
    for (const one of COMMON_PASSWORDS) {
      expect(one.length, one).to.be.at.least(12);
      expect(codesOf(one.toUpperCase()), one).to.deep.equal(['too-common']);
    }
  });

  it('has 12 to 128 code points, its ends included', () => {
    expect(codesOf('vZ7#kq9!Lm2')).to.deep.equal(['too-short']);
    expect(codesOf('🙂🐙🍋🚲🎻🌋🧩🪁🦔🎈🧵')).to.deep.equal(['too-short']);
    const long = '🙂🐙🍋🚲🎻🌋🧩🪁'.repeat(16);
    expect([codesOf(long), codesOf(`${long}x`)]).to.deep.equal([[], ['too-long']]);
    expect(checking((report) => checkPassword(' ends in a blank ', [], report)).value).to.equal(' ends in a blank ');
  });

  it('is a text', () => {
    expect([codesOf(undefined), codesOf(123456789012)]).to.deep.equal([['required'], ['wrong-type']]);
  });
});
