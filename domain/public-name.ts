import { DomainError, type ReportViolation } from './errors.js';
import { asciiLookAlikes } from './look-alikes.js';
import { mixesScripts } from './scripts.js';
import { wordsOf } from './words.js';
import { checkText, isLongerThan, type TextRule } from './text.js';

/** Two forms of a public name. Names that look the same have one of them in common. */
export interface PublicNameKeys {
  /** Equal for names that differ by case, by characters that cannot be seen, or by Unicode normal forms. */
  readonly folded: string;
  /** Equal for names of characters that look alike. */
  readonly skeleton: string;
}

const PUBLIC_NAME: TextRule = { maxLength: 60, multiline: false };

/** The names of the house. */
export const RESERVED_NAMES = ['operator', 'admin', 'support', 'marketplace'];
/** Developers without a public name are shown with it. */
const RESERVED_BEGINNING = '@';

/** Characters that cannot be seen, marks of direction among them. */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cf}]/gu;
const BLANKS = /[\p{White_Space}\u2800]+/gu;
/** What looks alike within lower-case ASCII: i is read as l, as I looks like it. */
const ASCII_LOOK_ALIKES = new Map(Object.entries({ 0: 'o', 1: 'l', i: 'l', '|': 'l', m: 'rn', w: 'vv', '`': "'" }));
const IN_ASCII = /[01i|mw`]/g;
const COMBINING_DOT_ABOVE = '\u0307';

/** Between the words of a skeleton, which has no marks then. */
const BETWEEN_WORDS = /[^\p{L}\p{N}]+/u;
const MARKS = /\p{M}+/gu;

/**
 * Returns the name with its ends trimmed. Reports the first broken rule of texts, or the first other rule: the name
 * shows the house (`brandName` is its name), or one of its words mixes scripts. A text that is too long is not folded.
 */
export function checkPublicName(value: unknown, report: ReportViolation, brandName?: string): string {
  const name = checkText(value, PUBLIC_NAME, report);
  if (name !== '') checkLook(name, report, brandName);
  return name;
}

function checkLook(name: string, report: ReportViolation, brandName?: string): void {
  if (wordsOf(name).length === 0) report('invalid-text', 'must have a letter or a digit');
  else if (mixesScripts(visible(name))) report('invalid-text', 'must not mix letters of different scripts in one word');
  else if (looksLikeHouse(name, brandName)) report('taken', 'is kept for the marketplace itself; choose another');
}

/** Returns the two keys of a name of at most 60 code points. A store keeps each unique. */
export function publicNameKeys(name: string): PublicNameKeys {
  return { folded: foldedOf(name), skeleton: skeletonOf(name) };
}

/**
 * Returns the folded form of a text that is searched for in those of public names. It is empty when no name can have
 * it: then the text has no visible character, or is longer than any name.
 */
export function publicNamePart(text: string): string {
  return isLongerThan(text, PUBLIC_NAME.maxLength) ? '' : foldedOf(text);
}

/**
 * Returns the key of a developer's id. A public name with this skeleton looks like the id; so does one with an equal
 * folded form, since ids that are slugs are ASCII.
 */
export function developerIdKey(id: string): string {
  return skeletonOf(id);
}

/** Returns the error with which a `DeveloperRepository` rejects. */
export function publicNameTaken(): DomainError {
  const detail = 'is the name of another developer, or looks like it; choose another';
  return new DomainError('conflict', 'public-name-taken', `this public name ${detail}`, [
    { field: 'publicName', code: 'taken', detail },
  ]);
}

/** Returns whether a name is, or looks like, one of the house (`brandName` is its name), or has no other words. */
function looksLikeHouse(name: string, brandName = ''): boolean {
  const { folded, skeleton } = publicNameKeys(name);
  if (beginsAsReserved(skeleton)) return true;
  const houses = [...RESERVED_NAMES, brandName].map(publicNameKeys);
  if (houses.some((house) => house.folded === folded || house.skeleton === skeleton)) return true;
  const words = skeletonWords(name);
  return words.length > 0 && countOfHouse(words, brandName) === words.length;
}

/**
 * Returns whether a name has words of the house, its name (`brandName`) or a reserved one, or begins as a name that the
 * house gives. Its name may be joined or parted in another way, and all may have characters that look alike.
 */
export function hasWordOfHouse(name: string, brandName = ''): boolean {
  return beginsAsReserved(skeletonOf(name)) || countOfHouse(skeletonWords(name), brandName) > 0;
}

function beginsAsReserved(skeleton: string): boolean {
  return skeleton.startsWith(skeletonOf(RESERVED_BEGINNING));
}

/** Returns how many of the words belong to names of the house. */
function countOfHouse(words: readonly string[], brandName: string): number {
  const [reserved, brand] = [RESERVED_NAMES.map(skeletonOf), skeletonWords(brandName).join('')];
  let [count, start] = [0, 0];
  while (start < words.length) {
    const rest = words.slice(start);
    const taken = countJoined(rest, brand) || Number(reserved.includes(rest[0] ?? ''));
    count += taken;
    start += Math.max(1, taken);
  }
  return count;
}

/** Returns how many of the first words are this text when they are joined; 0 when none are. */
function countJoined(words: readonly string[], text: string): number {
  let joined = '';
  for (const [index, word] of words.entries()) {
    joined += word;
    if (joined === text) return index + 1;
    if (!text.startsWith(joined)) return 0;
  }
  return 0;
}

function skeletonWords(text: string): readonly string[] {
  return skeletonOf(text).replace(MARKS, '').split(BETWEEN_WORDS).filter(Boolean);
}

/** Drops what cannot be seen both before and after the normal form, which may join or bring such characters. */
function foldedOf(text: string): string {
  return oneBlank(visible(visible(text).normalize('NFKC')).toLowerCase().replaceAll('ς', 'σ').normalize('NFKC'));
}

/** Looks up characters before they are in lower case: some look like ASCII only as capital letters. */
function skeletonOf(text: string): string {
  const characters = Array.from(visible(text.normalize('NFKD')));
  const shapes = characters.map((character) => asciiLookAlikes.get(character) ?? character);
  const lowerCase = shapes.join('').toLowerCase().replaceAll('ς', 'σ');
  // The dot takes the place of the letter's own.
  const dotted = lowerCase.replaceAll(`i${COMBINING_DOT_ABOVE}`, 'i').replaceAll(`j${COMBINING_DOT_ABOVE}`, 'j');
  return oneBlank(dotted.replace(IN_ASCII, (character) => ASCII_LOOK_ALIKES.get(character) ?? character));
}

function visible(text: string): string {
  return text.replace(INVISIBLE, '');
}

function oneBlank(text: string): string {
  return text.replace(BLANKS, ' ').trim();
}
