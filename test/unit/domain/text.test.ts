import { expect } from 'chai';
import fc from 'fast-check';
import { allowedCharacters, checkText, type TextRule } from '../../../domain/text.js';
import { checking } from './failure.js';

const LINE: TextRule = { maxLength: 200, multiline: false };
const PROSE: TextRule = { maxLength: 10_000, multiline: true };

const read = (value: unknown, rule = LINE) => checking((report) => checkText(value, rule, report));
const codes = (value: unknown, rule = LINE) => read(value, rule).broken.map(({ code }) => code);
const details = (value: unknown, rule = LINE) => read(value, rule).broken.map(({ detail }) => detail);

describe('text', () => {
  it('is kept verbatim apart from its ends', () => {
    expect(read(' \t\n\u00A0\u3000 a  b \u2028\n ')).to.deep.equal({ value: 'a  b', broken: [] });
    expect(read('\n\n a\n\n\tb \n', PROSE)).to.deep.equal({ value: 'a\n\n\tb', broken: [] });
  });

  for (const text of [
    '👩‍👩‍👧‍👦',
    'e\u0301',
    'שלום مرحبا',
    '<script>',
    '$set',
    '𝕏',
    'ｶﾞ',
    '.',
    '0',
    '\u0915\u094D\u200D\u0937',
  ])
    it(`is ordinary: ${text}`, () => {
      expect(read(text)).to.deep.equal({ value: text, broken: [] });
    });

  it('is required, and a string', () => {
    expect(codes(undefined)).to.deep.equal(['required']);
    for (const value of [null, 0, 1, true, [], {}, ['a'], Symbol('a'), () => 'a'])
      expect(codes(value)).to.deep.equal(['wrong-type']);
  });
});

describe('the length of a text', () => {
  for (const [what, letter] of Object.entries({
    'of one unit': 'a',
    'of two units': '🙂',
    'of the highest plane': '\u{10FFFD}',
  }))
    for (const rule of [LINE, PROSE])
      it(`is ${rule.maxLength} code points ${what}, and no more`, () => {
        expect(codes(letter.repeat(rule.maxLength), rule)).to.deep.equal([]);
        expect(codes(letter.repeat(rule.maxLength - 1), rule)).to.deep.equal([]);
        expect(codes(letter.repeat(rule.maxLength + 1), rule)).to.deep.equal(['too-long']);
      });

  it('is counted after trimming', () => {
    const spaces = ' '.repeat(500);
    expect(codes(spaces + 'a'.repeat(200) + spaces)).to.deep.equal([]);
    expect(codes(`a${spaces}b`)).to.deep.equal(['too-long']);
  });

  for (const text of ['', ' ', ' \t\n ', '\u3000\u00A0\uFEFF'])
    it(`is at least one: ${JSON.stringify(text)}`, () => {
      expect(codes(text)).to.deep.equal(['too-short']);
      expect(codes(text, PROSE)).to.deep.equal(['too-short']);
    });

  it('is told with the bounds', () => {
    expect(details('')).to.deep.equal(['must have 1 to 200 characters']);
    expect(details('a'.repeat(201))).to.deep.equal(['must have 1 to 200 characters']);
  });
});

describe('a text without one visible character', () => {
  const blanks = {
    'zero width space': '\u200B',
    'zero width joiner': '\u200D',
    'soft hyphen': '\u00AD',
    'Hangul filler': '\u3164',
    'halfwidth Hangul filler': '\uFFA0',
    'empty Braille': '\u2800',
    'variation selector': '\uFE0F',
    tag: '\u{E0041}',
    'word joiner': '\u2060',
    'blanks and spaces': '\u200B \u2800 \u200D',
    'grapheme joiner': '\u034F',
  };
  for (const [what, text] of Object.entries(blanks))
    it(`is refused: ${what}`, () => {
      expect(details(text)).to.deep.equal(['must contain at least one visible character']);
      expect(codes(`${text}a${text}`)).to.deep.equal([]);
    });
});

/** The refused classes, in numbers. */
function isRefused(point: number, { multiline }: TextRule): boolean {
  const within = (low: number, high = low) => point >= low && point <= high;
  const lineBreakOrTab = within(0x09, 0x0a) || within(0x2028, 0x2029);
  if (lineBreakOrTab) return !multiline;
  const control = within(0, 0x1f) || within(0x7f, 0x9f);
  const bidirectional = within(0x61c) || within(0x200e, 0x200f) || within(0x202a, 0x202e) || within(0x2066, 0x2069);
  const noncharacter = within(0xfdd0, 0xfdef) || within(0xfffe, 0xffff);
  return control || bidirectional || noncharacter || within(0xd800, 0xdfff);
}

describe('the refused characters', () => {
  for (const [name, rule] of Object.entries({ 'one line': LINE, 'many lines': PROSE })) {
    const patterns = ['', 'u'].map((flags) => new RegExp(allowedCharacters(rule), flags));

    it(`are exactly those of the contract, in a text of ${name}`, () => {
      for (let point = 0; point <= 0x10ffff; point += point < 0x1ffff || (point & 0xffff) >= 0xfff0 ? 1 : 0xf) {
        const text = `a${String.fromCodePoint(point)}b`;
        const refused = isRefused(point, rule);
        if (codes(text, rule).includes('invalid-text') !== refused)
          expect.fail(`U+${point.toString(16)} is judged wrongly`);
        const isLeftOut = (point >= 0xd800 && point <= 0xdfff) || point === 0x2028 || point === 0x2029;
        for (const pattern of patterns)
          if (pattern.test(text) === (refused && !isLeftOut))
            expect.fail(`${pattern.toString()} misjudges U+${point.toString(16)}`);
      }
    });

    it(`are refused wherever they stand, in a text of ${name}`, () => {
      const text = fc.string({ unit: 'binary', maxLength: 40 }).map((some) => `a${some}b`);
      fc.assert(
        fc.property(text, (some) => {
          const refused = Array.from(some).some((letter) => isRefused(letter.codePointAt(0) ?? 0, rule));
          expect(codes(some, rule).includes('invalid-text')).to.equal(refused);
          expect(read(some, rule).value).to.equal(some);
        }),
        { numRuns: 2000 },
      );
    });
  }

  it('at the ends are refused, those that are white space and controls as well', () => {
    for (const letter of ['\r', '\v', '\f', '\0', '\u0085', '\u200E', '\uFDD0', '\uD800', '\uDC00']) {
      expect(codes(`${letter}a`)).to.deep.equal(['invalid-text']);
      expect(codes(`a${letter}`)).to.deep.equal(['invalid-text']);
    }
  });

  it('are named', () => {
    const advice = 'must not contain a carriage return; send line feeds (U+000A) for line breaks';
    expect(details('a\rb', PROSE)).to.deep.equal([advice]);
    expect(details('a\r\nb', PROSE)).to.deep.equal([advice]);
    expect(details('a\r\nb')).to.deep.equal([advice, 'must not contain line breaks or tabs']);
    expect(details('a\uD800b')).to.deep.equal(['must not contain a lone surrogate; send well-formed Unicode']);
    expect(details('a\0b')).to.deep.equal(['must not contain control characters']);
    expect(details('a\u202Eb')).to.deep.equal(['must not contain bidirectional control characters']);
    expect(details('a\uFFFEb')).to.deep.equal(['must not contain Unicode noncharacters']);
    expect(details('a\tb')).to.deep.equal(['must not contain line breaks or tabs']);
  });

  it('are reported beside the length', () => {
    expect(codes(`${'a'.repeat(200)}\0b`)).to.deep.equal(['too-long', 'invalid-text']);
  });
});
