import { expect } from 'chai';
import { Violations } from '../../../domain/errors.js';
import { checkSearchTerms, matchesTerms, searchTerms, type Term } from '../../../domain/search-terms.js';
import { indexedText } from '../../../domain/words.js';

describe('the terms of a search', () => {
  it('are its words; the last one may be a beginning', () => {
    expect(shown(searchTerms('Sort my INB ').terms)).to.equal('sort my inb*');
    expect(shown(searchTerms('Sort my INB ').wholeInTitle)).to.equal('sort my inb');
    expect(searchTerms('Sort my INB ')).to.deep.include({ runs: [], name: '=sort=my=inb' });
  });

  it('count once; a word that also stands before the last is a whole one', () => {
    expect(shown(searchTerms('a a b b a').terms)).to.equal('a b');
    expect(shown(searchTerms('a b b').terms)).to.equal('a b');
  });

  it('are pairs of neighbours in Han, Kana or Thai; three and more must be there as a run', () => {
    expect(shown(searchTerms('上海 x').terms)).to.equal('上=海 x*');
    expect(shown(searchTerms('サーバーAI').terms)).to.equal('サ=ー ー=バ バ=ー ai*');
    expect(searchTerms('サーバーAI 上海').runs).to.deep.equal(['サーバー']);
    expect(shown(searchTerms('อีเมล').terms)).to.equal('อี=เ เ=ม ม=ล*');
    expect(searchTerms('อีเมล').runs).to.deep.equal(['อีเมล']);
  });

  it('are three neighbours of a run in a title', () => {
    expect(shown(searchTerms('サーバーAI 上海').inTitle)).to.equal('サ=ー=バ ー=バ=ー ai 上=海*');
    expect(shown(searchTerms('อีเมล').inTitle)).to.equal('อี=เ=ม เ=ม=ล*');
    expect(shown(searchTerms('อีเมล').wholeInTitle)).to.equal('อี=เ=ม เ=ม=ล');
  });

  it('are beginnings of pairs for a single character, which is whole unless it is the last', () => {
    expect(shown(searchTerms('海 上 x').terms)).to.equal('海=* 上=* x*');
    expect(shown(searchTerms('海 上').terms)).to.equal('海=* 上*');
    expect(shown(searchTerms('海 上').inTitle)).to.equal('海=* 上*');
    expect(shown(searchTerms('海 上').wholeInTitle)).to.equal('海=* 上=*');
  });

  it('keep every word next to a run, which counts as one of the 16', () => {
    const run = Array.from({ length: 30 }, (_, n) => String.fromCodePoint(0x4e00 + n)).join('');
    const words = Array.from({ length: 15 }, (_, n) => `w${n + 10}`).join(' ');
    const { terms, runs } = searchTerms(`${run} ${words} x`);
    expect(terms.filter(({ text }) => !text.includes('=')).map(({ text }) => text)).to.deep.equal(words.split(' '));
    expect(terms).to.have.length(31);
    expect(runs).to.deep.equal([run]);
    expect(shown(searchTerms(`${run} go`).terms)).to.match(/ go\*$/);
  });

  it('are of each short run, and of long ones 16 neighbours in all', () => {
    const short = Array.from({ length: 8 }, (_, n) => String.fromCodePoint(0x4e00 + n).repeat(2));
    const long = Array.from({ length: 8 }, (_, n) => String.fromCodePoint(0x5e00 + n).repeat(12));
    const { terms, runs } = searchTerms([...short, ...long].join(' '));
    expect(terms.filter(({ text }) => text < '\u5e00')).to.have.length(8);
    expect(runs).to.deep.equal(long);
  });

  it('are the 16 longest of more, in order; the last is a beginning only if it is one of them', () => {
    const words = Array.from({ length: 16 }, (_, n) => `word${n + 10}`).join(' ');
    expect(shown(searchTerms(`abc ${words} x`).terms)).to.equal(words);
    expect(shown(searchTerms(`abc ${words} longest`).terms)).to.equal(words.replace('word25', 'longest*'));
    const runs = Array.from({ length: 20 }, (_, n) => String.fromCodePoint(0x4e00 + n).repeat(3)).join(' ');
    expect(searchTerms(runs).runs).to.have.length(16);
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
    for (const text of ['🚀'.repeat(199) + 'a', '自'.repeat(200), 'a '.repeat(100), 'ab cd '.repeat(33)])
      expect(brokenBy(text), text).to.deep.equal([]);
    expect(brokenBy('a'.repeat(201))).to.deep.equal(['too-long']);
    for (const text of ['', ' ', '🚀', '—', '+ #']) expect(brokenBy(text), text).to.deep.equal(['too-short']);
    for (const value of [undefined, null, 7, ['a']]) expect(brokenBy(value)).to.deep.equal(['wrong-type']);
  });

  it('match when every word is there, the last one as a beginning', () => {
    const text = indexedText({ title: 'Sort my inbox', description: 'by sender' });
    const found = ['sort', 'SORT inb', 'my sort', 'sender by my', 's'];
    const missing = ['sor my', 'inboxes', 'sort outbox', 'end'];
    for (const q of found) expect(matchesTerms(text, searchTerms(q)), q).to.equal(true);
    for (const q of missing) expect(matchesTerms(text, searchTerms(q)), q).to.equal(false);
  });
});

function shown(terms: readonly Term[]): string {
  return terms.map(({ text, isBeginning }) => (isBeginning ? `${text}*` : text)).join(' ');
}

function brokenBy(value: unknown): readonly string[] {
  const violations = new Violations();
  checkSearchTerms(value, violations.field('q'));
  return violations.fields.map(({ code }) => code);
}
