import { COMMON_PASSWORDS, COMMON_WORDS } from './common-passwords.js';
import type { Report } from './errors.js';
import { codePoints } from './text.js';

/** In code points. */
export const PASSWORD_LENGTH = { lowest: 12, highest: 128 } as const;
const LENGTH_RULE = `must have ${PASSWORD_LENGTH.lowest} to ${PASSWORD_LENGTH.highest} characters`;

/** What one types without thinking: the rows of keyboards and the orders that everybody knows, each a ring. */
const RINGS = [
  'abcdefghijklmnopqrstuvwxyz',
  '01234567890',
  '1234567890',
  'qwertyuiopasdfghjklzxcvbnm',
  'poiuytrewqlkjhgfdsamnbvcxz',
  'qwertzuiopasdfghjklyxcvbnm',
  'azertyuiopqsdfghjklmwxcvbn',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p',
  '1q2w3e4r5t6y7u8i9o0p',
  'a1b2c3d4e5f6g7h8i9j0',
  '!@#$%^&*()_+',
].map((ring) => ring.repeat(12));
const SEQUENCES = [...RINGS, ...RINGS.map((ring) => Array.from(ring).reverse().join(''))];

const REPEATED = /^(.{1,6}?)\1{2,}$/su;
const SOUND_ALIKE: Readonly<Record<string, string>> = { '0': 'o', '1': 'l', '3': 'e', '4': 'a', '5': 's', '7': 't', '@': 'a', $: 's', '!': 'i' };

/**
 * A password: 12 to 128 code points, any, and none of those that are tried first. It is taken as it is, its ends included.
 * @param names the sign-in name and the developer's id, which make no password
 */
export function readPassword(value: unknown, names: readonly string[], report: Report): string {
  if (value === undefined) report('required', 'is required');
  else if (typeof value !== 'string') report('wrong-type', 'must be a string');
  else if (codePoints(value) < PASSWORD_LENGTH.lowest) report('too-short', LENGTH_RULE);
  else if (codePoints(value) > PASSWORD_LENGTH.highest) report('too-long', LENGTH_RULE);
  else if (isEasilyGuessed(value, names)) report('too-common', 'is one of those that are tried first; choose another');
  return value as string;
}

function isEasilyGuessed(password: string, names: readonly string[]): boolean {
  const text = password.toLowerCase();
  return (
    REPEATED.test(text) ||
    COMMON_PASSWORDS.has(text) ||
    SEQUENCES.some((sequence) => sequence.includes(text)) ||
    isMadeOf(text, names.map((name) => name.toLowerCase()))
  );
}

/** Whether a text is common words or names one after the other, with digits and signs around them or for letters. */
function isMadeOf(text: string, names: readonly string[]): boolean {
  const spelt = text.replace(/[^\p{L}]+$/u, '').replace(/[013457@$!]/g, (sign) => SOUND_ALIKE[sign] ?? sign);
  const words = [...COMMON_WORDS, ...names.map(lettersOf)].filter((word) => word !== '');
  const isMostly = (letters: string) => letters.length * 2 >= codePoints(text) && isChainOf(words, letters);
  return names.includes(text) || isMostly(lettersOf(text)) || isMostly(lettersOf(spelt));
}

function lettersOf(text: string): string {
  return text.replace(/[^\p{L}]/gu, '');
}

/** Looks at each place of the text once, whatever the words: a name can be chosen so that trying every way would take for ever. */
function isChainOf(words: readonly string[], text: string): boolean {
  const ends = new Set([0]);
  for (const end of ends) for (const word of words) if (text.startsWith(word, end)) ends.add(end + word.length);
  return ends.has(text.length);
}
