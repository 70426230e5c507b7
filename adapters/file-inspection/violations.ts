import type { FileViolation, FileViolationCode } from '../../domain/file-facts.js';
import { MAX_LEVELS, MAX_VALUES } from './json-text.js';

type Fault = Exclude<FileViolationCode, 'contains-secret'>;

const DETAILS: Readonly<Record<Fault, (place: string) => string>> = {
  'inexact-number': (place) => `must have numbers that programs read exactly; ${place} is none: write it as a string`,
  'duplicate-key': (place) => `must have each name once in an object; ${place} is there twice`,
  'too-deep': () => `must have at most ${MAX_LEVELS} levels of nesting`,
  'too-many-values': () => `must have at most ${MAX_VALUES.toLocaleString('en-US')} values`,
  'invalid-json': () => 'must be valid JSON, as its name says',
  'invalid-text': () => 'must be text in UTF-8, as its name says',
};

export function violationOf(code: Fault, place = 'the file'): FileViolation {
  return { code, place, detail: DETAILS[code](place) };
}

/** @param kind what it seems to be, in words */
export function secretViolation(place: string, kind: string): FileViolation {
  return { code: 'contains-secret', place, detail: `must contain no secret; ${place} has what looks like ${kind}` };
}
