import type { ReportViolation } from './errors.js';

/** The bounds of a text, in Unicode code points, counted after the ends are trimmed. */
export interface TextRule {
  readonly maxLength: number;
  readonly multiline: boolean;
}

const BIDI_CONTROL = '\\u061C\\u200E\\u200F\\u202A-\\u202E\\u2066-\\u2069';
/** Those of the first plane; a pattern for the others would need the flag `u`. */
const NONCHARACTER = '\\uFDD0-\\uFDEF\\uFFFE\\uFFFF';
const CONTROL_BUT_TAB_AND_LINE_FEED = '\\u0000-\\u0008\\u000B-\\u001F\\u007F-\\u009F';
const TAB_AND_LINE_FEED = '\\t\\n';
const LINE_AND_PARAGRAPH_SEPARATOR = '\\u2028\\u2029';

/** One visible character: not white space, not ignorable, not a blank of another name. */
const VISIBLE = /[^\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\p{Cs}\u2800]/u;

/**
 * Returns a pattern that a text matches from end to end when none of its characters is refused, with or without the
 * flag `u`. It lets pass lone surrogates, which only the flag can tell from others, and U+2028 and U+2029, which
 * generators of clients write into a literal, where they end the line.
 */
export function allowedCharacters(rule: TextRule): string {
  const breaks = rule.multiline ? '' : TAB_AND_LINE_FEED;
  return `^[^${CONTROL_BUT_TAB_AND_LINE_FEED}${breaks}${BIDI_CONTROL}${NONCHARACTER}]*$`;
}

/** Why a character is refused, in the order in which it is looked for. */
const REFUSED: readonly (readonly [RegExp, string])[] = [
  [/\r/, 'must not contain a carriage return; send line feeds (U+000A) for line breaks'],
  [/\p{Surrogate}/u, 'must not contain a lone surrogate; send well-formed Unicode'],
  [new RegExp(`[${CONTROL_BUT_TAB_AND_LINE_FEED}]`), 'must not contain control characters'],
  [new RegExp(`[${BIDI_CONTROL}]`), 'must not contain bidirectional control characters'],
  [new RegExp(`[${NONCHARACTER}]`), 'must not contain Unicode noncharacters'],
];

const SINGLE_LINE = new RegExp(`[${TAB_AND_LINE_FEED}${LINE_AND_PARAGRAPH_SEPARATOR}]`);

export function codePoints(text: string): number {
  let count = 0;
  for (let i = 0; i < text.length; count += 1) i += (text.codePointAt(i) ?? 0) > 0xffff ? 2 : 1;
  return count;
}

/** Returns a key that is equal for equal names: case and Unicode normal form do not count. */
export function nameKey(name: string): string {
  return name.normalize('NFC').toLowerCase().normalize('NFC');
}

/** Trims white space, unless it contains control characters, which are refused everywhere. */
export function trimmed(text: string): string {
  return /[\v\f\r]/.test(text) ? text : text.trim();
}

/** Returns the text with its ends trimmed, otherwise unchanged. Reports every broken rule. */
export function checkText(value: unknown, rule: TextRule, report: ReportViolation): string {
  if (value === undefined) return missing(report);
  if (typeof value !== 'string') return wrongType(report);
  const text = trimmed(value);
  if (text === '') report('too-short', `must have 1 to ${rule.maxLength} characters`);
  else if (!VISIBLE.test(text)) report('invalid-text', 'must contain at least one visible character');
  if (text.length > rule.maxLength && codePoints(text) > rule.maxLength)
    report('too-long', `must have 1 to ${rule.maxLength} characters`);
  for (const [pattern, detail] of REFUSED)
    if (pattern.test(text)) {
      report('invalid-text', detail);
      break;
    }
  if (!rule.multiline && SINGLE_LINE.test(text)) report('invalid-text', 'must not contain line breaks or tabs');
  return text;
}

function missing(report: ReportViolation): string {
  report('required', 'is required');
  return '';
}

function wrongType(report: ReportViolation): string {
  report('wrong-type', 'must be a string');
  return '';
}
