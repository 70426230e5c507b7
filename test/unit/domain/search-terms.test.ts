import { expect } from 'chai';
import { Violations } from '../../../domain/errors.js';
import { checkSearchTerms, matchesTerms, wordsOf, type SearchTerms } from '../../../domain/search-terms.js';

describe('search terms', () => {
  describe('the words of a text', () => {
    const texts: Readonly<Record<string, readonly [string, readonly string[]]>> = {
      'letters and digits, in lower case': ['Sort my Inbox, 24x7!', ['sort', 'my', 'inbox', '24x7']],
      'without accents': ['Crème brûlée, İstanbul, Ångström', ['creme', 'brulee', 'istanbul', 'angstrom']],
      'sharp s and final sigma': ['Straße STRASSE ẞ Οδυσσεύς', ['strasse', 'ss', 'οδυσσευσ']],
      'compatibility forms': ['ﬁle ２４ ①', ['file', '24', '1']],
      'each once': ['a b A b', ['a', 'b']],
      'Han and Kana by character': ['サーバーAI', ['サ', 'ー', 'バ', 'ai']],
      'a voiced Kana is another word than the voiceless one': ['が か', ['が', 'か']],
      'marks that belong to their word': ['हिन्दी', ['हिन्दी']],
      'Hebrew and Arabic without vowel marks': ['שָׁלוֹם كِتَاب', ['שלום', 'كتاب']],
      'no format characters, no variation selectors': ['co\u200Bop soft\u00ADware ☎\uFE0F', ['coop', 'software']],
      'no words': ['!? — 🚀', []],
      'a word cut at 64 code points': ['𝒳x'.repeat(40), ['xx'.repeat(32)]],
      'punctuation cuts words': ["co-op don't a_b", ['co', 'op', 'don', 't', 'a', 'b']],
    };
    for (const [title, [text, words]] of Object.entries(texts))
      it(title, () => expect(wordsOf(text)).to.deep.equal(words));

    it('a text and its decomposed form have the same words', () => {
      for (const text of ['é', '가각', 'ガ', 'Å', 'ﬀ'])
        expect(wordsOf(text.normalize('NFD')), text).to.deep.equal(wordsOf(text.normalize('NFC')));
    });
  });

  describe('the terms of a search', () => {
    it('are its words; the last one may be a beginning', () => {
      expect(parsed('Sort my INB ')).to.deep.equal({ words: ['sort', 'my'], prefix: 'inb' });
      expect(parsed('inbox')).to.deep.equal({ words: [], prefix: 'inbox' });
    });

    it('repeated words count once', () => {
      expect(parsed('a a b b a')).to.deep.equal({ words: ['a', 'b'], prefix: 'a' });
      expect(brokenBy('a '.repeat(20))).to.deep.equal([]);
    });

    it('are at most 8, where an unbroken run of Han and Kana counts as one', () => {
      expect(brokenBy('a b c d e f g h')).to.deep.equal([]);
      expect(brokenBy('a b c d e f g h i')).to.deep.equal(['out-of-range']);
      expect(brokenBy('サーバー自動化 b c d e f g h')).to.deep.equal([]);
      expect(brokenBy('サ バ 自 d e f g h i')).to.deep.equal(['out-of-range']);
    });

    it('have at most 40 Han and Kana characters', () => {
      expect(brokenBy('自'.repeat(40))).to.deep.equal([]);
      expect(brokenBy('自'.repeat(41))).to.deep.equal(['out-of-range']);
    });

    it('have no run of more than 30 combining marks', () => {
      expect(brokenBy(`a${'\u0301'.repeat(30)}`)).to.deep.equal([]);
      expect(brokenBy(`a${'\u0301\u034F'.repeat(16)}`)).to.deep.equal(['invalid-text']);
    });

    it('are not read from a text that is too long', () => {
      for (const text of ['\u0301'.repeat(8_000), 'a b c d e f g h i '.repeat(500), ' '.repeat(201)])
        expect(brokenBy(text)).to.deep.equal(['too-long']);
    });

    it('have at most 200 code points, and a letter or a digit', () => {
      expect(brokenBy('🚀'.repeat(199) + 'a')).to.deep.equal([]);
      expect(brokenBy('a'.repeat(201))).to.deep.equal(['too-long']);
      for (const text of ['', ' ', '🚀', '—']) expect(brokenBy(text), text).to.deep.equal(['too-short']);
      for (const value of [undefined, null, 7, ['a']]) expect(brokenBy(value)).to.deep.equal(['wrong-type']);
    });
  });

  it('match when every word is there, the last one as a beginning', () => {
    const words = new Set(wordsOf('Sort my inbox by sender'));
    const found = ['sort', 'SORT inb', 'my sort', 'sender by my', 's'];
    const missing = ['sor my', 'inboxes', 'sort outbox', 'end'];
    for (const text of found) expect(matchesTerms(words, parsed(text)), text).to.equal(true);
    for (const text of missing) expect(matchesTerms(words, parsed(text)), text).to.equal(false);
  });
});

function parsed(text: string): SearchTerms {
  const violations = new Violations();
  const terms = checkSearchTerms(text, violations.field('q'));
  violations.throwIfAny('the search');
  return terms;
}

function brokenBy(value: unknown): readonly string[] {
  const violations = new Violations();
  checkSearchTerms(value, violations.field('q'));
  return violations.fields.map(({ code }) => code);
}
