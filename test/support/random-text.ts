import fc from 'fast-check';

/** What the contract refuses in titles and descriptions, by code point; DEL with the C0 controls. */
const REFUSED: readonly (readonly [first: number, last: number])[] = [
  [0x00, 0x1f],
  [0x7f, 0x9f],
  [0x202a, 0x202e],
  [0x2066, 0x2069],
  [0xd800, 0xdfff],
  [0xfdd0, 0xfdef],
  [0x2061, 0x2065],
  [0x206a, 0x206f],
  [0xfff0, 0xfffb],
  [0x1bca0, 0x1bca3],
  [0x1d173, 0x1d17a],
  [0xe0000, 0xe00ff],
  [0xe01f0, 0xe0fff],
];
/** What needs another character in front of it. */
const VARIATION_SELECTOR = /\p{Variation_Selector}/u;
/** Joiners and the like in a row, and the end of a flag that was cut. */
const SILENT_RUN = /(?:(?![\u115F\u1160\u3164\uFFA0\u{E0000}-\u{E007F}])\p{Default_Ignorable_Code_Point}){5,}/gu;
const CUT_FLAG = /\u{1F3F4}?[\u{E0000}-\u{E007F}]+$/u;
const BREAKS = [0x09, 0x0a, 0x2028, 0x2029];

function isLegal(codePoint: number): boolean {
  const isNoncharacter = (codePoint & 0xfffe) === 0xfffe;
  return (
    !isNoncharacter &&
    !VARIATION_SELECTOR.test(String.fromCodePoint(codePoint)) &&
    !BREAKS.includes(codePoint) &&
    !REFUSED.some(([first, last]) => codePoint >= first && codePoint <= last)
  );
}

/** Texts that others have stumbled over; each legal in a title. */
const AWKWARD = [
  'e\u0301',
  'é',
  'ﬁ',
  'İ',
  'ß',
  '\u212b',
  '가',
  '👩‍👩‍👧‍👦',
  '🏴󠁧󠁢󠁳󠁣󠁴󠁿',
  '🇺🇳',
  'مرحبا',
  'שָׁלוֹם',
  'ཨོཾ',
  '<b>&amp;</b>',
  '<!--',
  '$&',
  '$1',
  '${x}',
].concat([
  '\\u0000',
  '%00',
  '"',
  "'",
  '\\',
  '{{7*7}}',
  '\u00a0',
  '\u3000',
  '\u200b',
  '\u200d',
  '\ufeff',
  '\u00ad',
  '__proto__',
  'null',
  '😀',
]);

const VISIBLE = ['a', 'Z', '0', 'é', 'ß', 'Ж', '中', 'א', 'م', '😀', '𝒳', '🧑‍🚀', '<', '$', '\\', '"'];

/** A text that the contract takes, of any plane, and whose ends need no trimming. */
export function legalText(maxLength: number, { multiline }: { readonly multiline: boolean }): fc.Arbitrary<string> {
  const piece = fc.oneof(
    {
      weight: 4,
      arbitrary: fc
        .integer({ min: 0x20, max: 0x10ffff })
        .filter(isLegal)
        .map((point) => String.fromCodePoint(point)),
    },
    {
      weight: 4,
      arbitrary: fc
        .integer({ min: 0x20, max: 0x2fff })
        .filter(isLegal)
        .map((point) => String.fromCodePoint(point)),
    },
    { weight: 4, arbitrary: fc.constantFrom(...AWKWARD) },
    { weight: multiline ? 1 : 0, arbitrary: fc.constantFrom('\n', '\t', '\n\n', '\u2028') },
  );
  const end = fc.constantFrom(...VISIBLE);
  return fc
    .tuple(end, fc.array(piece, { maxLength, size: 'medium' }), end)
    .map(([first, middle, last]) => trimTo(first, middle.join(''), last, maxLength));
}

function trimTo(first: string, middle: string, last: string, maxLength: number): string {
  const ends = Array.from(first).length + Array.from(last).length;
  if (ends > maxLength) return 'a';
  return (
    first +
    Array.from(middle)
      .slice(0, maxLength - ends)
      .join('')
      .replace(CUT_FLAG, '')
      .replace(SILENT_RUN, '') +
    last
  );
}

/** One character that the contract refuses, in a text that is fine but for it. */
export function illegalText({ multiline }: { readonly multiline: boolean }): fc.Arbitrary<string> {
  const ranges = REFUSED.map(([min, max]) => fc.integer({ min, max }));
  const noncharacter = fc.constantFrom(0xfffe, 0xffff);
  const breaks = fc.constantFrom(...BREAKS);
  const refused = fc
    .oneof(...ranges, noncharacter, ...(multiline ? [] : [breaks]))
    .filter((point) => point !== 0x7f && !(multiline && BREAKS.includes(point)))
    .map((point) => (point > 0xffff ? String.fromCodePoint(point) : String.fromCharCode(point)));
  const inside = fc
    .tuple(fc.constantFrom('a', 'é', '中'), refused, fc.constantFrom('b', ' c'))
    .map((parts) => parts.join(''));
  const invisible = fc.array(
    fc.constantFrom(' ', '\u00a0', '\u200b', '\u200d', '\u3000', '\ufe0f', '\u00ad', '\u3164'),
    { maxLength: 5 },
  );
  return fc.oneof({ weight: 5, arbitrary: inside }, { weight: 1, arbitrary: invisible.map((parts) => parts.join('')) });
}
