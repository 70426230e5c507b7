import type { ReportViolation } from './errors.js';
import { checkMarks, isLongerThan } from './text.js';
import {
  keptRuns,
  nameOf,
  neighboursIn,
  piecesOf,
  textOf,
  wholeCharacter,
  type IndexedText,
  type Piece,
} from './words.js';

/** A word that a text must have, or one that begins like this. */
export interface Term {
  readonly text: string;
  readonly isBeginning: boolean;
}

/**
 * What a search asks for. An automation matches when each of `terms` is in title or description, some in one and some
 * in the other, and each of `runs` is in the runs of the automation.
 */
export interface SearchTerms {
  /** 1 to 31. The last word of the search may be the beginning of a word. */
  readonly terms: readonly Term[];
  /** What the runs of the automation must contain: 0 to 16 texts. Mostly none. */
  readonly runs: readonly string[];
  /** For the order `best`: the name of an automation whose title is the search. */
  readonly name: string;
  /** For the order `best`: what is in a title that has all words. */
  readonly wholeInTitle: readonly Term[];
  /** For the order `best`: what is in a title that has all words, the last one as a beginning. */
  readonly inTitle: readonly Term[];
}

/** As many as the longest title has: a title that is pasted is found. */
export const SEARCH_BOUNDS = { maxLength: 200 } as const;

/**
 * Words and runs. Of more, the longest are looked for, as they tell most, and a search costs the same whatever was
 * pasted.
 */
const MAX_PIECES = 16;
/** A run is compared with those of a text; its neighbours only tell where that is worth it. */
const MAX_NEIGHBOURS = 16;

/** Returns the terms of a search. Reports every broken rule, but reads no words of a text that is too long for it. */
export function checkSearchTerms(value: unknown, report: ReportViolation): SearchTerms | undefined {
  const { maxLength } = SEARCH_BOUNDS;
  if (typeof value !== 'string') report('wrong-type', 'must be a string');
  else if (isLongerThan(value, maxLength)) report('too-long', `must have 1 to ${maxLength} characters`);
  else if (checkMarks(value, report)) {
    const terms = searchTerms(value);
    if (terms.terms.length === 0) report('too-short', 'must have a letter or a digit');
    return terms;
  }
  return undefined;
}

/** Returns what a text asks for, without a check. */
export function searchTerms(text: string): SearchTerms {
  const all = piecesOf(text);
  const pieces = countedPieces(all);
  return {
    terms: termsOf(pieces, { neighbours: 2, isLastBeginning: true }),
    runs: keptRuns(pieces.map(({ piece }) => piece)),
    name: nameOf(all),
    wholeInTitle: termsOf(pieces, { neighbours: 3, isLastBeginning: false }),
    inTitle: termsOf(pieces, { neighbours: 3, isLastBeginning: true }),
  };
}

/** Returns whether an automation matches. */
export function matchesTerms({ title, description, runs }: IndexedText, wanted: SearchTerms): boolean {
  return hasTerms(new Set([...title, ...description]), wanted.terms) && wanted.runs.every((run) => runs.includes(run));
}

/**
 * Returns the place of a match in the order `best`: 0 when the title is the search, 1 when it has all words, 2 when it
 * has them with the last as a beginning, else 3.
 */
export function rankOf({ name, title }: Pick<IndexedText, 'name' | 'title'>, wanted: SearchTerms): number {
  const words = new Set([name, ...title]);
  const lists = titleTerms(wanted);
  const place = lists.findIndex((terms) => hasTerms(words, terms));
  return place < 0 ? lists.length : place;
}

/**
 * Returns what a title must have for each place in the order `best` but the last, in this order: all terms of a list,
 * but not all of the list before it. It takes the name for one of the words of a title.
 */
export function titleTerms({ name, wholeInTitle, inTitle }: SearchTerms): readonly (readonly Term[])[] {
  return [[{ text: name, isBeginning: false }], wholeInTitle, inTitle];
}

/** A piece of a search, and whether it may be the beginning of a word: only if it is the last, and not before it. */
interface CountedPiece {
  readonly piece: Piece;
  readonly mayBegin: boolean;
}

/** Returns the longest 16 distinct pieces, in their order. */
function countedPieces(pieces: readonly Piece[]): readonly CountedPiece[] {
  const all = new Map<string, CountedPiece>();
  for (const [index, piece] of pieces.entries()) {
    const text = textOf(piece);
    all.set(text, { piece, mayBegin: index === pieces.length - 1 && !all.has(text) });
  }
  const byLength = Array.from(all).toSorted(([one], [other]) => other.length - one.length);
  const kept = new Set(byLength.slice(0, MAX_PIECES).map(([, piece]) => piece));
  return Array.from(all.values()).filter((piece) => kept.has(piece));
}

interface Cut {
  /** How many neighbours in a run are a term. */
  readonly neighbours: 2 | 3;
  readonly isLastBeginning: boolean;
}

function termsOf(pieces: readonly CountedPiece[], { neighbours, isLastBeginning }: Cut): readonly Term[] {
  const all = new Map<string, boolean>();
  let left = MAX_NEIGHBOURS;
  for (const { piece, mayBegin } of pieces) {
    const parts = termsOfPiece(piece, neighbours, isLastBeginning && mayBegin);
    const kept = parts.length > 1 ? parts.slice(0, left) : parts;
    if (parts.length > 1) left -= kept.length;
    for (const { text, isBeginning } of kept) all.set(text, isBeginning && all.get(text) !== false);
  }
  return Array.from(all, ([text, isBeginning]) => ({ text, isBeginning }));
}

/** A run with fewer characters than neighbours is one term. A character alone is the beginning of a pair. */
function termsOfPiece(piece: Piece, neighbours: number, isBeginning: boolean): readonly Term[] {
  if (typeof piece === 'string') return [{ text: piece, isBeginning }];
  const [first = ''] = piece;
  if (piece.length === 1) return [{ text: isBeginning ? first : wholeCharacter(first), isBeginning: true }];
  const parts = neighboursIn(piece, Math.min(neighbours, piece.length));
  return parts.map((text, index) => ({ text, isBeginning: isBeginning && index === parts.length - 1 }));
}

function hasTerms(words: ReadonlySet<string>, terms: readonly Term[]): boolean {
  return terms.every(({ text, isBeginning }) => words.has(text) || (isBeginning && hasBeginning(words, text)));
}

function hasBeginning(words: ReadonlySet<string>, beginning: string): boolean {
  for (const word of words) if (word.startsWith(beginning)) return true;
  return false;
}
