import type { ReportViolation } from './errors.js';
import { HIDDEN, MAX_SILENT_IN_A_ROW, NEVER_SHOWN } from './never-shown.js';

/** The bounds of a text, in Unicode code points, counted after the ends are trimmed. */
export interface TextRule {
  readonly maxLength: number;
  readonly multiline: boolean;
  /** Whether U+061C, U+200E and U+200F may stand inside, which Hebrew and Arabic next to Latin need. */
  readonly directionMarks?: boolean;
}

const DIRECTION_MARK = '\u061C\u200E\u200F';
const BIDI_CONTROL = '\u202A-\u202E\u2066-\u2069';
/** Those of the first plane; a pattern for the others would need the flag `u`. */
const NONCHARACTER = '\uFDD0-\uFDEF\uFFFE\uFFFF';
const CONTROL_BUT_TAB_AND_LINE_FEED = '\\x00-\\x08\\x0B-\\x1F\\x7F-\\x9F';
const TAB_AND_LINE_FEED = '\\t\\n';
const LINE_AND_PARAGRAPH_SEPARATOR = '\u2028\u2029';

/** White space that is no refused control character, and what cannot be seen at the end of a text. */
const TRIMMED = new RegExp(
  `[${TAB_AND_LINE_FEED}${LINE_AND_PARAGRAPH_SEPARATOR}${DIRECTION_MARK}\\uFEFF\\u00AD\\p{Zs}]`,
  'u',
);

/** One visible character: not white space, not ignorable, not a blank of another name. */
const VISIBLE = /[^\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\p{Cs}\u2800]/u;

/**
 * Returns a pattern that a text matches from end to end when none of its characters is refused, with or without the
 * flag `u`. RE2 (Go) and PCRE (PHP) compile it, too: they know no `\u`, so beyond `\xFF` it has the characters
 * themselves. It lets pass lone surrogates, which only the flag can tell from others, and U+2028 and U+2029, which
 * generators of clients write into a literal, where they end the line.
 */
export function allowedCharacters(rule: TextRule): string {
  const breaks = rule.multiline ? '' : TAB_AND_LINE_FEED;
  const marks = rule.directionMarks ? '' : DIRECTION_MARK;
  return `^[^${CONTROL_BUT_TAB_AND_LINE_FEED}${breaks}${marks}${BIDI_CONTROL}${NONCHARACTER}${NEVER_SHOWN}]*$`;
}

/** What is refused: where it begins, its name, and what helps. */
type Refusal = readonly [pattern: RegExp, what: string, advice?: string];

const LINE_BREAK: Refusal = [
  new RegExp(`[\\r${TAB_AND_LINE_FEED}${LINE_AND_PARAGRAPH_SEPARATOR}]`),
  'line breaks or tabs',
];

const DIRECTION_MARKS: Refusal = [new RegExp(`[${DIRECTION_MARK}]`), 'bidirectional control characters'];

/** Unicode's stream-safe limit (UAX #15): the time to normalize a run of marks grows with its square. */
export const MAX_MARKS_IN_A_ROW = 30;

/** Also the two sound marks of halfwidth Katakana, which are letters that normalize to marks. */
const MARK = String.raw`[\p{M}\uFF9E\uFF9F]`;
/** Steps of a normalization may drop these, so they do not end a run. */
const IGNORABLE = String.raw`[[\p{Cf}\p{Default_Ignorable_Code_Point}]--\p{M}]`;

const MARK_RUN: Refusal = [
  new RegExp(`${MARK}(?:${IGNORABLE}*${MARK}){${MAX_MARKS_IN_A_ROW}}`, 'v'),
  `more than ${MAX_MARKS_IN_A_ROW} combining marks in a row`,
];

/** In the order in which they are looked for. */
const REFUSED: readonly Refusal[] = [
  [/\r/, 'a carriage return', 'send line feeds (U+000A) for line breaks'],
  [/\p{Surrogate}/u, 'a lone surrogate', 'send well-formed Unicode'],
  [new RegExp(`[${CONTROL_BUT_TAB_AND_LINE_FEED}]`), 'control characters'],
  [new RegExp(`[${BIDI_CONTROL}]`), 'bidirectional control characters'],
  [new RegExp(`[${NONCHARACTER}]`), 'Unicode noncharacters'],
  MARK_RUN,
  [HIDDEN.neverShown, 'characters that never show'],
  [HIDDEN.strayVariation, 'variation selectors that vary nothing'],
  [HIDDEN.silentRun, `more than ${MAX_SILENT_IN_A_ROW} characters that do not show in a row`],
];

export function codePoints(text: string): number {
  let count = 0;
  for (let i = 0; i < text.length; count += 1) i += (text.codePointAt(i) ?? 0) > 0xffff ? 2 : 1;
  return count;
}

/** Returns whether a text has more code points than this. It counts those of a short text alone. */
export function isLongerThan(text: string, maxLength: number): boolean {
  return text.length > maxLength && (text.length > 2 * maxLength || codePoints(text) > maxLength);
}

/** Returns a key that is equal for equal names: case and Unicode normal form do not count. */
export function nameKey(name: string): string {
  return name.normalize('NFC').toLowerCase().normalize('NFC');
}

/** Returns the text without white space and invisible marks at its ends. */
export function trimmed(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && TRIMMED.test(text.charAt(start))) start += 1;
  while (end > start && TRIMMED.test(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

/** Returns whether a value is missing, or a text of which trimming leaves nothing. */
export function isBlank(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'string' && trimmed(value) === '');
}

/**
 * Returns the text with its ends trimmed, otherwise unchanged. Reports the first broken rule, the length before all
 * others, and returns nothing then: no text goes on whose length or marks would make further work slow.
 */
export function checkText(value: unknown, rule: TextRule, report: ReportViolation): string {
  if (value === undefined) return missing(report);
  if (typeof value !== 'string') return wrongType(report);
  const text = trimmed(value);
  if (text === '') report('too-short', lengthRule(rule));
  else if (isLongerThan(text, rule.maxLength)) report('too-long', lengthRule(rule));
  else if (checkCharacters(text, rule, report)) return text;
  return '';
}

function lengthRule({ maxLength }: TextRule): string {
  return `must have 1 to ${maxLength.toLocaleString('en-US')} characters`;
}

function checkCharacters(text: string, rule: TextRule, report: ReportViolation): boolean {
  const more = [...(rule.multiline ? [] : [LINE_BREAK]), ...(rule.directionMarks ? [] : [DIRECTION_MARKS])];
  const detail = refusalIn(text, [...more, ...REFUSED]);
  if (detail !== undefined) report('invalid-text', detail);
  else if (!VISIBLE.test(text)) report('invalid-text', 'must contain at least one visible character');
  else return true;
  return false;
}

/** Returns whether no run of combining marks is too long to be normalized, and reports one that is. */
export function checkMarks(text: string, report: ReportViolation): boolean {
  const detail = refusalIn(text, [MARK_RUN]);
  if (detail !== undefined) report('invalid-text', detail);
  return detail === undefined;
}

/** Returns a sentence that names the first refused character and what stands before it; undefined without one. */
function refusalIn(text: string, refusals: readonly Refusal[]): string | undefined {
  for (const [pattern, what, advice] of refusals) {
    const found = pattern.exec(text);
    if (found !== null) return `must not contain ${what} (${placeOf(text, found.index)})${advice ? `; ${advice}` : ''}`;
  }
  return undefined;
}

/** How much of the text before a refused character is shown, in code points. */
const SHOWN_LENGTH = 20;

function placeOf(text: string, index: number): string {
  const number = (text.codePointAt(index) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  const before = Array.from(text.slice(Math.max(0, index - 2 * SHOWN_LENGTH), index)).slice(-SHOWN_LENGTH);
  if (before.length === 0) return `U+${number} at the beginning`;
  return `U+${number} after "${before.join('').replace(/\s+/g, ' ')}"`;
}

function missing(report: ReportViolation): string {
  report('required', 'is required');
  return '';
}

function wrongType(report: ReportViolation): string {
  report('wrong-type', 'must be a string');
  return '';
}
