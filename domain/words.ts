import { typedLetters } from './letters.js';

/*
 * The rule by which texts become words, from top to bottom:
 *
 * 1. A text is folded: case, accents, and forms of letters and digits that people do not type go.
 * 2. It is cut into pieces. In scripts with blanks between words, a piece is a word. In those without, such as Chinese,
 *    Japanese, Thai, Lao, Khmer and Burmese, it is a run of characters. No dictionary tells the words of a run: those
 *    of `Intl.Segmenter` change with each version of ICU, and an index must not.
 * 3. A run gives pairs of neighbours as words, so a text has all pairs of a run that it contains. Of three characters
 *    and more it may also have them in different places, so its runs are kept, too. A sign behind each character but
 *    the last of a pair tells where it ends: in Thai and its like, marks may follow that make it another one.
 */

/** Another number for each change of the rule. */
const VERSION = 3;

/**
 * The rule of this process as a number. It grows with each change of the rule, and with each version of Unicode, which
 * has letters that the one before lacks. An index of a lower number is rebuilt; one of a higher number is left alone.
 */
export const WORD_RULE = VERSION * 100_000 + Math.round(Number(process.versions['unicode'] ?? 0) * 100);

/** What an index keeps of an automation. No word has a blank, and no word but `name` begins with `=`. */
export interface IndexedText {
  /** The whole title as one word, by which the title is found that is the search. It may stand among the words. */
  readonly name: string;
  /** The distinct words of the title, and of its runs also each three neighbours, which tell how well it matches. */
  readonly title: readonly string[];
  /** The distinct words of the description. */
  readonly description: readonly string[];
  /** The runs of both that have three characters or more, with blanks between them. Mostly empty. */
  readonly runs: string;
}

/** A word, or a run as its characters, each with its marks. */
export type Piece = string | readonly string[];

/** In code points; what is longer is cut. */
const MAX_WORD_LENGTH = 64;
/** In code points. A title has at most 200, and folding makes few titles longer. */
const MAX_NAME_LENGTH = 256;
/** The pairs of a shorter run are the run itself. */
const MIN_KEPT_RUN = 3;

/** Returns what an index keeps of an automation. */
export function indexedText(texts: { readonly title: string; readonly description: string }): IndexedText {
  const [title, description] = [piecesOf(texts.title), piecesOf(texts.description)];
  return {
    name: nameOf(title),
    title: distinct([...title.flatMap(wordsOfPiece), ...title.flatMap((piece) => neighboursIn(piece, 3))]),
    description: distinct(description.flatMap(wordsOfPiece)),
    runs: keptRuns([...title, ...description]).join(' '),
  };
}

/** Returns the distinct words of a text, in the order of their first place. */
export function wordsOf(text: string): readonly string[] {
  return distinct(piecesOf(text).flatMap(wordsOfPiece));
}

/** Returns all pieces as one word. */
export function nameOf(pieces: readonly Piece[]): string {
  return firstCodePoints(`=${pieces.map(textOf).join('=')}`, MAX_NAME_LENGTH);
}

/** Returns the distinct runs that their pairs do not tell. */
export function keptRuns(pieces: readonly Piece[]): readonly string[] {
  return distinct(pieces.filter((piece) => typeof piece !== 'string' && piece.length >= MIN_KEPT_RUN).map(textOf));
}

/** Ends a character of a run, and stands in no other word but a name. */
const CHARACTER_END = '=';

/** Returns the texts of this number of neighbours in a run. A word has none, and neither has a shorter run. */
export function neighboursIn(piece: Piece, count: number): readonly string[] {
  if (typeof piece === 'string') return [];
  const starts = piece.slice(0, Math.max(0, piece.length - count + 1));
  return starts.map((_, start) =>
    firstCodePoints(piece.slice(start, start + count).join(CHARACTER_END), MAX_WORD_LENGTH),
  );
}

/** Returns the words of a piece in a text. The last character of a run stands alone, as it begins no pair. */
function wordsOfPiece(piece: Piece): string | readonly string[] {
  return typeof piece === 'string' ? piece : [...neighboursIn(piece, 2), ...piece.slice(-1).map(wholeCharacter)];
}

/** Returns the beginning of every word that a run has of a character, but of none with further marks. */
export function wholeCharacter(character: string): string {
  return character + CHARACTER_END;
}

export function textOf(piece: Piece): string {
  return typeof piece === 'string' ? piece : piece.join('');
}

// 1. Folding

/** Accents, the vowel marks of Hebrew and Arabic, tatweel, enclosing marks, format characters, variation selectors. */
const DROPPED = new RegExp(
  String.raw`[\u0300-\u036F\u0640\p{Me}\p{Cf}\p{Variation_Selector}[\p{M}&&[\p{scx=Hebrew}\p{scx=Arabic}]]]`,
  'gv',
);
const TYPED_OTHERWISE = new RegExp(`[${Array.from(typedLetters.keys()).join('')}]`, 'gu');
const OTHER_DIGIT = new RegExp(String.raw`[\p{Nd}--[0-9]]`, 'gv');
const DIGIT = /\p{Nd}/u;
const ASCII = /^[\x00-\x7F]*$/;

function folded(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  return text
    .normalize('NFKD')
    .replace(DROPPED, '')
    .toLowerCase()
    .replace(TYPED_OTHERWISE, (letter) => typedLetters.get(letter) ?? letter)
    .replace(OTHER_DIGIT, asciiDigit)
    .normalize('NFC');
}

/** Returns a decimal digit in ASCII. The ten digits of a script stand together, and those of another may follow. */
function asciiDigit(digit: string): string {
  const number = digit.codePointAt(0) ?? 0;
  let first = number;
  while (DIGIT.test(String.fromCodePoint(first - 1))) first -= 1;
  return String((number - first) % 10);
}

// 2. Cutting

/** The scripts without blanks between words: lines break by a dictionary or anywhere (UAX 14). */
const WITHOUT_BLANKS = [
  ...['Han', 'Hiragana', 'Katakana', 'Bopomofo', 'Yi', 'Nushu', 'Tangut', 'Khitan_Small_Script'],
  ...['Thai', 'Lao', 'Khmer', 'Myanmar', 'Tai_Le', 'New_Tai_Lue', 'Tai_Tham', 'Tai_Viet', 'Ahom'],
];
const CHARACTER = String.raw`[\p{L}\p{N}]`;
const MARK = String.raw`\p{M}`;
const OF_RUN = `[${CHARACTER}&&[${WITHOUT_BLANKS.map((script) => String.raw`\p{scx=${script}}`).join('')}]]`;
const OF_WORD = `[${CHARACTER}--${OF_RUN}]`;
const LETTER = String.raw`[${OF_WORD}&&\p{L}]`;
/** `c#` and `c++` are words, whatever follows, as in `C++11`; in `a+b`, one sign stands between two single letters. */
const LETTER_WITH_SIGNS = `${LETTER}(?:[#+]{2,}|[#+](?!${LETTER}(?![${OF_WORD}${MARK}])))`;
const PIECE = new RegExp(`(?:${OF_RUN}${MARK}*)+|${LETTER_WITH_SIGNS}|${OF_WORD}[${OF_WORD}${MARK}]*`, 'gv');
const RUN = new RegExp(`^${OF_RUN}`, 'v');
const CHARACTER_OF_RUN = /\P{M}\p{M}*/gu;

/** Returns the pieces of a text, in their order. */
export function piecesOf(text: string): readonly Piece[] {
  const pieces = folded(text).match(PIECE) ?? [];
  return pieces.map((piece) =>
    RUN.test(piece) ? (piece.match(CHARACTER_OF_RUN) ?? []) : firstCodePoints(piece, MAX_WORD_LENGTH),
  );
}

function firstCodePoints(text: string, count: number): string {
  return text.length <= count ? text : Array.from(text).slice(0, count).join('');
}

function distinct(texts: readonly string[]): readonly string[] {
  return Array.from(new Set(texts));
}
