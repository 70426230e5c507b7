import { expect } from 'chai';
import { indexedText, wordsOf } from '../../../domain/words.js';

describe('the words of a text', () => {
  const texts: Readonly<Record<string, readonly [string, readonly string[]]>> = {
    'letters and digits, in lower case': ['Sort my Inbox, 24x7!', ['sort', 'my', 'inbox', '24x7']],
    'without accents': ['Crème brûlée, İstanbul, Ångström', ['creme', 'brulee', 'istanbul', 'angstrom']],
    'sharp s and final sigma': ['Straße STRASSE ẞ Οδυσσεύς', ['strasse', 'ss', 'οδυσσευσ']],
    'letters that people type as others': ['Łødźþæŋıđðħŧœ', ['lodzthaeniddhtoe']],
    'compatibility forms': ['ﬁle ２４ ①', ['file', '24', '1']],
    'digits of all scripts': ['٣ ۳ ३ ๓ ၃ 𝟛 𞥓', ['3']],
    'each once': ['a b A b', ['a', 'b']],
    'pairs of Han and Kana, and the last of a run': ['サーバーAI', ['サ=ー', 'ー=バ', 'バ=ー', 'ー=', 'ai']],
    'a run of one character': ['字 x', ['字=', 'x']],
    'pairs of letters with their marks in Thai': ['อีเมล', ['อี=เ', 'เ=ม', 'ม=ล', 'ล=']],
    'a voiced Kana is another word than the voiceless one': ['が か', ['が=', 'か=']],
    'marks that belong to their word': ['हिन्दी', ['हिन्दी']],
    'Hebrew and Arabic without vowel marks': ['שָׁלוֹם كِتَاب', ['שלום', 'كتاب']],
    'no format characters, no variation selectors': ['co\u200Bop soft\u00ADware ☎\uFE0F', ['coop', 'software']],
    'no words': ['!? — 🚀 + #', []],
    'a word cut at 64 code points': ['𝒳x'.repeat(40), ['xx'.repeat(32)]],
    'punctuation cuts words': ["co-op don't a_b", ['co', 'op', 'don', 't', 'a', 'b']],
    'signs right after one letter': ['C# C++ f#, ab+ 1+', ['c#', 'c++', 'f#', 'ab', '1']],
    'signs right after one letter, whatever follows': [
      'c++11 C++20, C#9 c#で C++입문 C#編程 c++x c#net',
      ['c++', '11', '20', 'c#', '9', 'で=', '입문', '編=程', '程=', 'x', 'net'],
    ],
    'no sign between two single letters': ['A+B c#x a+b+c', ['a', 'b', 'c', 'x']],
  };
  for (const [title, [text, words]] of Object.entries(texts))
    it(`have ${title}`, () => expect(wordsOf(text)).to.deep.equal(words));

  it('of a text and its decomposed form are the same', () => {
    for (const text of ['é', '가각', 'ガ', 'Å', 'ﬀ', 'ø', 'ü', 'ۀ'])
      expect(wordsOf(text.normalize('NFD')), text).to.deep.equal(wordsOf(text.normalize('NFC')));
  });

  it('are found by themselves', () => {
    const letters = Array.from({ length: 0x3400 }, (_, n) => String.fromCodePoint(n)).filter(
      (one) => !/\p{Cs}/u.test(one),
    );
    // The sign tells where a character of a run ends; people do not type it.
    const typed = (word: string) => word.replaceAll('=', '');
    const lost = letters.flatMap(wordsOf).filter((word) => !wordsOf(typed(word)).includes(word));
    expect(lost).to.deep.equal([]);
  });
});

describe('what an index keeps of an automation', () => {
  it('has the words of title and description, and the title as one word', () => {
    expect(indexedText({ title: 'Sort my 收件箱', description: 'Sort it: 上海 天气预报!' })).to.deep.equal({
      name: '=sort=my=收件箱',
      title: ['sort', 'my', '收=件', '件=箱', '箱=', '收=件=箱'],
      description: ['sort', 'it', '上=海', '海=', '天=气', '气=预', '预=报', '报='],
      runs: '收件箱 天气预报',
    });
  });

  /** The longest legal descriptions that have the most words, and the most bytes. */
  const WORST: Readonly<Record<string, string>> = {
    'ideographs, each another': lettersFrom(0x4e00, 10_000),
    'characters that stand for six': '㌖'.repeat(10_000),
    'characters that stand for up to six, in every order': squares(),
    'ligatures of a sentence': 'ﷺ'.repeat(10_000),
    'letters of Thai with three marks': 'กิ่ํ'.repeat(2_500),
    'words of one letter': `${lettersFrom(0x3b1, 25)}${lettersFrom(0x430, 32)}`
      .split('')
      .join(' ')
      .repeat(88)
      .slice(0, 10_000),
    'words of three letters': Array.from({ length: 2_500 }, (_, n) => (n + 46_656).toString(36).slice(-3)).join(' '),
  };
  for (const [name, description] of Object.entries(WORST))
    it(`has at most 11,000 words and 200 KB: ${name}`, () => {
      expect(Array.from(description).length).to.be.within(9_900, 10_000);
      const {
        name: ofTitle,
        title,
        description: words,
        runs,
      } = indexedText({ title: description.slice(0, 200), description });
      expect(Buffer.byteLength(ofTitle)).to.be.at.most(1_024);
      expect(title.length + words.length).to.be.at.most(11_000);
      expect(Buffer.byteLength([...title, ...words, runs].join(' '))).to.be.at.most(200_000);
    });
});

function lettersFrom(first: number, count: number): string {
  return Array.from({ length: count }, (_, n) => String.fromCodePoint(first + n)).join('');
}

/** Returns the squared words of Katakana, so that each follows each other. */
function squares(): string {
  const all = Array.from(lettersFrom(0x3300, 88));
  return all
    .flatMap((one) => all.map((other) => one + other))
    .join('')
    .slice(0, 10_000);
}
