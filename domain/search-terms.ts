import type { ReportViolation } from './errors.js';
import { checkMarks, isLongerThan } from './text.js';

/** The words of a search. Each of `words` must be a word of the text, and one word of the text begins with `prefix`. */
export interface SearchTerms {
  /** Distinct words, without the last one of the search. */
  readonly words: readonly string[];
  /** The last word of the search. */
  readonly prefix: string;
}

/** A new number for each change of the rule by which texts are cut into words. An index of an older rule is rebuilt. */
export const WORD_RULE_VERSION = 1;

export const SEARCH_BOUNDS = { maxLength: 200, maxWords: 8, maxIdeographs: 40 } as const;

const MAX_WORD_LENGTH = 64;

/** Accents, the vowel marks of Hebrew and Arabic, enclosing marks, format characters, and variation selectors. */
const DROPPED = new RegExp(
  String.raw`[\u0300-\u036F\u0591-\u05BD\u05BF\u05C1\u05C2\u05C4\u05C5\u05C7\u0610-\u061A\u064B-\u065F\u0670]` +
    String.raw`|[\p{Me}\p{Cf}\p{Variation_Selector}]`,
  'gu',
);

const CHARACTER = String.raw`[\p{L}\p{N}]`;
const HAN_OR_KANA = String.raw`[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}]`;
const IDEOGRAPH = String.raw`[${CHARACTER}&&${HAN_OR_KANA}]`;
const OTHER = String.raw`[${CHARACTER}--${HAN_OR_KANA}]`;
const WORD = new RegExp(String.raw`(?<ideograph>${IDEOGRAPH})\p{M}*|${OTHER}[${OTHER}\p{M}]*`, 'gv');
const ASCII = /^[\x00-\x7F]*$/;

interface Word {
  readonly text: string;
  readonly isIdeograph: boolean;
  readonly start: number;
  readonly end: number;
}

/**
 * Returns the distinct words of a text, in the order of their first place, without regard to case and accents. A Han or
 * Kana character is a word by itself; any other word is an unbroken run of letters, digits and marks.
 */
export function wordsOf(text: string): readonly string[] {
  return Array.from(new Set((folded(text).match(WORD) ?? []).map(shortened)));
}

/** Returns the terms of a search. Reports every broken rule, but reads no words of a text that is too long for it. */
export function checkSearchTerms(value: unknown, report: ReportViolation): SearchTerms {
  const { maxLength } = SEARCH_BOUNDS;
  if (typeof value !== 'string') report('wrong-type', 'must be a string');
  else if (isLongerThan(value, maxLength)) report('too-long', `must have 1 to ${maxLength} characters`);
  else if (checkMarks(value, report)) return checkWords(cut(value), report);
  return { words: [], prefix: '' };
}

function checkWords(words: readonly Word[], report: ReportViolation): SearchTerms {
  const { maxWords, maxIdeographs } = SEARCH_BOUNDS;
  const ideographs = words.filter(({ isIdeograph }) => isIdeograph);
  if (words.length === 0) report('too-short', 'must have a letter or a digit');
  if (countUnits(words) > maxWords) report('out-of-range', `must have 1 to ${maxWords} words`);
  if (ideographs.length > maxIdeographs)
    report('out-of-range', `must have at most ${maxIdeographs} Chinese and Japanese characters`);
  const prefix = words.at(-1)?.text ?? '';
  return { words: Array.from(new Set(words.slice(0, -1).map((word) => word.text))), prefix };
}

/** Returns whether a text with these words has all terms. */
export function matchesTerms(words: ReadonlySet<string>, { words: whole, prefix }: SearchTerms): boolean {
  if (!whole.every((word) => words.has(word))) return false;
  if (words.has(prefix)) return true;
  for (const word of words) if (word.startsWith(prefix)) return true;
  return false;
}

function cut(text: string): readonly Word[] {
  return Array.from(folded(text).matchAll(WORD), ({ 0: word, index, groups }) => ({
    text: shortened(word),
    isIdeograph: groups?.['ideograph'] !== undefined,
    start: index,
    end: index + word.length,
  }));
}

/** Returns the text without case and accents. */
function folded(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  return text
    .normalize('NFKD')
    .replace(DROPPED, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll('ς', 'σ')
    .normalize('NFC');
}

function shortened(word: string): string {
  return word.length <= MAX_WORD_LENGTH ? word : Array.from(word).slice(0, MAX_WORD_LENGTH).join('');
}

/** Counts distinct words; an unbroken run of Han and Kana counts as one. */
function countUnits(words: readonly Word[]): number {
  const others = new Set(words.filter(({ isIdeograph }) => !isIdeograph).map((word) => word.text));
  const runs = words.filter((word, index) => {
    const before = words[index - 1];
    return word.isIdeograph && !(before?.isIdeograph === true && before.end === word.start);
  });
  return others.size + runs.length;
}
