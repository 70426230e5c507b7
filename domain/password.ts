import { COMMON_PASSWORDS } from './common-passwords.js';
import type { ReportViolation } from './errors.js';
import { codePoints, isLongerThan } from './text.js';

/** Code points. */
export const PASSWORD_LENGTH = { lowest: 12, highest: 128 } as const;
const LENGTH_RULE = `must have ${PASSWORD_LENGTH.lowest} to ${PASSWORD_LENGTH.highest} characters`;

/**
 * Returns a password of 12 to 128 code points that is not easily guessed. It is taken as it is, its ends included.
 * @param names the sign-in name and the developer's id, which are no passwords
 */
export function checkPassword(value: unknown, names: readonly string[], report: ReportViolation): string {
  if (value === undefined) report('required', 'is required');
  else if (typeof value !== 'string') report('wrong-type', 'must be a string');
  else if (isLongerThan(value, PASSWORD_LENGTH.highest)) report('too-long', LENGTH_RULE);
  else if (codePoints(value) < PASSWORD_LENGTH.lowest) report('too-short', LENGTH_RULE);
  else if (isEasilyGuessed(value, names)) report('too-common', 'is easily guessed; choose another');
  return value as string;
}

function isEasilyGuessed(password: string, names: readonly string[]): boolean {
  const text = password.toLowerCase();
  return COMMON_PASSWORDS.has(text) || names.some((name) => isMadeOf(text, name.toLowerCase()));
}

/** Returns whether a text is a name, or its letters with digits and signs around them. */
function isMadeOf(text: string, name: string): boolean {
  return text === name || (lettersOf(name) !== '' && lettersOf(text) === lettersOf(name));
}

function lettersOf(text: string): string {
  return text.replace(/[^\p{L}]/gu, '');
}
