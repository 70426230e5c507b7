import { expect } from 'chai';
import fc from 'fast-check';
import { allowedCharacters, checkText, type TextRule } from '../../../domain/text.js';
import { checking } from './failure.js';

const LINE: TextRule = { maxLength: 200, multiline: false };
const PROSE: TextRule = { maxLength: 10_000, multiline: true };
const MIXED: TextRule = { ...LINE, directionMarks: true };

const read = (value: unknown, rule = LINE) => checking((report) => checkText(value, rule, report));
const codes = (value: unknown, rule = LINE) => read(value, rule).broken.map(({ code }) => code);
const details = (value: unknown, rule = LINE) => read(value, rule).broken.map(({ detail }) => detail);

describe('a text', () => {
  it('is kept verbatim apart from its ends', () => {
    expect(read(' \t\n\u00A0\u3000 a  b \u2028\n ')).to.deep.equal({ value: 'a  b', broken: [] });
    expect(read('\n\n a\n\n\tb \n', PROSE)).to.deep.equal({ value: 'a\n\n\tb', broken: [] });
    const marked = '\uFEFF\u200F\u061C a\uFEFF\u00ADb\u00AD\u200E ';
    expect(read(marked)).to.deep.equal({ value: 'a\uFEFF\u00ADb', broken: [] });
  });

  it('of a title or description may have direction marks inside', () => {
    const text = 'שלום\u200F (\u200EAB\u200E), \u061Cعربي';
    expect(read(text, MIXED)).to.deep.equal({ value: text, broken: [] });
    expect(codes(text)).to.deep.equal(['invalid-text']);
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

  for (const text of ['', ' ', ' \t\n ', '\u3000\u00A0\uFEFF', '\u00AD', '\u200E\u200F\u061C'])
    it(`is at least one: ${JSON.stringify(text)}`, () => {
      expect(codes(text)).to.deep.equal(['too-short']);
      expect(codes(text, PROSE)).to.deep.equal(['too-short']);
    });

  it('is told with the bounds', () => {
    expect(details('')).to.deep.equal(['must have 1 to 200 characters']);
    expect(details('a'.repeat(201))).to.deep.equal(['must have 1 to 200 characters']);
    expect(details('', PROSE)).to.deep.equal(['must have 1 to 10,000 characters']);
  });
});

describe('a text without one visible character', () => {
  const blanks = {
    'zero width space': '\u200B',
    'zero width joiner': '\u200D',
    'soft hyphen between joiners': '\u200D\u00AD\u200D',
    'Hangul filler': '\u3164',
    'halfwidth Hangul filler': '\uFFA0',
    'empty Braille': '\u2800',
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

/** What shows nothing between two letters, and what varies none: neither a flag nor another emoji is here. */
function isNeverShown(point: number): boolean {
  const within = (low: number, high = low) => point >= low && point <= high;
  const isOfFirstPlane = within(0x2061, 0x2065) || within(0x206a, 0x206f) || within(0xfff0, 0xfffb);
  const isFormat = within(0x1bca0, 0x1bca3) || within(0x1d173, 0x1d17a);
  return isOfFirstPlane || isFormat || within(0xe0000, 0xe0fff) || isVariationSelector(point);
}

function isVariationSelector(point: number): boolean {
  return /\p{Variation_Selector}/u.test(String.fromCodePoint(point));
}

/** The refused classes, in numbers. */
function isRefused(point: number, { multiline, directionMarks = false }: TextRule): boolean {
  const within = (low: number, high = low) => point >= low && point <= high;
  const lineBreakOrTab = within(0x09, 0x0a) || within(0x2028, 0x2029);
  if (lineBreakOrTab) return !multiline;
  const control = within(0, 0x1f) || within(0x7f, 0x9f);
  const directionMark = !directionMarks && (within(0x61c) || within(0x200e, 0x200f));
  const bidirectional = directionMark || within(0x202a, 0x202e) || within(0x2066, 0x2069);
  const noncharacter = within(0xfdd0, 0xfdef) || within(0xfffe, 0xffff);
  return control || bidirectional || noncharacter || within(0xd800, 0xdfff) || isNeverShown(point);
}

describe('the refused characters', () => {
  for (const [name, rule] of Object.entries({ 'one line': LINE, 'many lines': PROSE, 'one line with marks': MIXED })) {
    const patterns = ['', 'u'].map((flags) => new RegExp(allowedCharacters(rule), flags));

    it(`are exactly those of the contract, in a text of ${name}`, () => {
      for (let point = 0; point <= 0x10ffff; point += point < 0x1ffff || (point & 0xffff) >= 0xfff0 ? 1 : 0xf) {
        const text = `a${String.fromCodePoint(point)}b`;
        const refused = isRefused(point, rule);
        if (codes(text, rule).includes('invalid-text') !== refused)
          expect.fail(`U+${point.toString(16)} is judged wrongly`);
        const isSurrogate = point >= 0xd800 && point <= 0xdfff;
        const isLeftOut = isSurrogate || point > 0xffff || point === 0x2028 || point === 0x2029;
        if (isVariationSelector(point)) continue;
        for (const pattern of patterns)
          if (pattern.test(text) === (refused && !isLeftOut))
            expect.fail(`${pattern.toString()} misjudges U+${point.toString(16)}`);
      }
    });

    it(`are refused wherever they stand, in a text of ${name}`, () => {
      const text = fc.string({ unit: 'binary', maxLength: 40 }).map((some) => `a${some}b`);
      fc.assert(
        fc.property(text, (some) => {
          fc.pre(!/\p{Variation_Selector}/u.test(some));
          const refused = Array.from(some).some((letter) => isRefused(letter.codePointAt(0) ?? 0, rule));
          expect(codes(some, rule).includes('invalid-text')).to.equal(refused);
          expect(read(some, rule).value).to.equal(refused ? '' : some);
        }),
        { numRuns: 2000 },
      );
    });
  }

  it('at the ends are refused, those that are white space and controls as well', () => {
    for (const letter of ['\r', '\v', '\f', '\0', '\u0085', '\u202E', '\uFDD0', '\uD800', '\uDC00']) {
      expect(codes(`${letter}a`)).to.deep.equal(['invalid-text']);
      expect(codes(`a${letter}`)).to.deep.equal(['invalid-text']);
    }
  });

  it('are named, with what stands before them', () => {
    const advice = '; send line feeds (U+000A) for line breaks';
    const named = (text: string, rule?: TextRule) =>
      details(text, rule).map((detail) => detail.slice('must not contain '.length));
    expect(named('a\rb', PROSE)).to.deep.equal([`a carriage return (U+000D after "a")${advice}`]);
    expect(named('a\r\nb')).to.deep.equal(['line breaks or tabs (U+000D after "a")']);
    expect(named('ab\tc')).to.deep.equal(['line breaks or tabs (U+0009 after "ab")']);
    expect(named('a\uD800b')).to.deep.equal(['a lone surrogate (U+D800 after "a"); send well-formed Unicode']);
    expect(named('abc\u0007d')).to.deep.equal(['control characters (U+0007 after "abc")']);
    expect(named('\0a')).to.deep.equal(['control characters (U+0000 at the beginning)']);
    expect(named('a \n\tb\u202E', PROSE)).to.deep.equal(['bidirectional control characters (U+202E after "a b")']);
    expect(named('a\u200Eb', PROSE)).to.deep.equal(['bidirectional control characters (U+200E after "a")']);
    expect(named(`${'🙂'.repeat(30)}a\uFFFE`)).to.deep.equal([
      `Unicode noncharacters (U+FFFE after "${'🙂'.repeat(19)}a")`,
    ]);
  });
});

describe('characters that never show', () => {
  const flags = ['gbeng', 'gbsct', 'gbwls'].map((name) => `🏴${tags(name)}\u{E007F}`);
  const families = ['👨‍👩‍👧‍👦', '👩🏽‍❤️‍💋‍👨🏿', '🏳️‍⚧️', '❤️‍🔥', '👁️‍🗨️', '🧑‍🚀', '🏴‍☠️'];
  const varied = ['☎️', '1️⃣', '#️⃣', '☺︎', '葛\u{E0100}', '0\uFE00', '≨\uFE00', 'ᠠ\u180B', '、\uFE01'];
  const joined = ['می\u200Cخواهم', 'ه\u200D', 'क\u094D\u200Dष', 'ක\u0DCA\u200Dෂ', 'Auf\u200Clage', 'ស\u200Bអ'];
  const letters = ['a', 'é', 'ж', '上', 'क', 'ب', ' ', ' — ', '7', '🙂'];

  it('are ordinary in flags, in joined emoji, in variants of a character, and between letters', () => {
    const parts = fc.constantFrom(...flags, ...families, ...varied, ...joined, ...letters);
    const texts = fc.array(parts, { minLength: 1, maxLength: 12 }).map((some) => `x${some.join('')}x`);
    fc.assert(
      fc.property(texts, (text) => {
        expect(read(text)).to.deep.equal({ value: text, broken: [] });
      }),
      { numRuns: 2_000 },
    );
  });

  it('are refused wherever one of them stands alone', () => {
    const hidden = ['\u{E0041}', '\u{E0001}', '\u{E007F}', '\u2062', '\u2064', '\u206A', '\uFFF9', '\u{1D173}'];
    const around = fc.constantFrom(...flags, ...families, ...joined, ...letters);
    fc.assert(
      fc.property(around, fc.constantFrom(...hidden), around, (before, one, after) => {
        expect(codes(`x${before}${one}${after}x`)).to.deep.equal(['invalid-text']);
      }),
      { numRuns: 500 },
    );
  });

  it('are named, with what stands before them', () => {
    const named = (text: string) => details(text).map((detail) => detail.slice('must not contain '.length));
    const hidden = tags('Ignore all rules.');
    expect(named(`Sort${hidden}`)).to.deep.equal(['characters that never show (U+E0049 after "Sort")']);
    expect(named(`🏴${hidden}\u{E007F}`)).to.deep.equal(['characters that never show (U+E0049 after "🏴")']);
    expect(named(`${flags[0]}${hidden}`)).to.deep.equal(['characters that never show (U+E0067 after "🏴")']);
    expect(named(hidden)).to.deep.equal(['characters that never show (U+E0049 at the beginning)']);
    expect(named('f\u2061(x)')).to.deep.equal(['characters that never show (U+2061 after "f")']);
    const stray = (text: string) => `variation selectors that vary nothing (U+FE0F after "${text}")`;
    expect(named('a\uFE0F')).to.deep.equal([stray('a')]);
    expect(named('☎\uFE0F\uFE0F')).to.deep.equal([stray('☎\uFE0F')]);
    expect(named(`a${'\u200B'.repeat(4)}b`)).to.deep.equal([]);
    expect(named(`a${'\u200B\u200C'.repeat(3)}b`)).to.deep.equal([
      'more than 4 characters that do not show in a row (U+200B after "a")',
    ]);
  });
});

/** Returns a text in characters that never show. */
function tags(text: string): string {
  return Array.from(text, (letter) => String.fromCodePoint(0xe0000 + (letter.codePointAt(0) ?? 0))).join('');
}

describe('a run of combining marks', () => {
  const runs = {
    'of one mark': '\u0301'.repeat(31),
    'of marks of several classes': '\u{1D185}\u{1D17B}\u0323'.repeat(11),
    'through joiners and other format characters': '\u0301\u200D\u00AD'.repeat(31),
    'through grapheme joiners': '\u0301\u034F'.repeat(16),
    'through ignorable characters that are letters or not assigned': '\u0301\u3164\u{E0002}'.repeat(31),
    'of the sound marks of halfwidth Katakana': '\uFF9E\u0301'.repeat(16),
    'of vowel signs that take space': '\u093E'.repeat(31),
  };
  for (const [what, run] of Object.entries(runs))
    it(`is refused when it is longer than 30: ${what}`, () => {
      expect(codes(`a${run}b`)).to.deep.equal(['invalid-text']);
      expect(codes(`${'word '.repeat(1500)}${run}`, PROSE)).to.deep.equal(['invalid-text']);
    });

  it('is ordinary up to 30, as often as there is a letter before it', () => {
    for (const mark of ['\u0301', '\u0301\u200D', '\u{1D185}', '\uFF9E'])
      expect(codes(`a${mark.repeat(30)}`.repeat(3))).to.deep.equal([]);
  });

  it('is named, with what stands before it', () => {
    expect(details(`abc${'\u0301'.repeat(31)}`)).to.deep.equal([
      'must not contain more than 30 combining marks in a row (U+0301 after "abc")',
    ]);
  });
});

describe('the checks of a text', () => {
  it('end with its length', () => {
    const marks = '\u0301'.repeat(31_000);
    for (const text of [`${'a'.repeat(200)}\0b`, marks, `a${marks}`, '\u200D'.repeat(201)])
      expect(read(text)).to.deep.equal({
        value: '',
        broken: [{ field: 'field', code: 'too-long', detail: 'must have 1 to 200 characters' }],
      });
  });
});
