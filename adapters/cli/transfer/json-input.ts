import { isUtf8 } from 'node:buffer';
import { messageOf } from '../session.js';

const MAX_NAMES = 5;
const MAX_NAME_LENGTH = 40;

/** Says what is wrong with the input. */
export class BadInput extends Error {
  override readonly name = 'BadInput';
}

/** @throws BadInput if the bytes are not UTF-8. */
export function textOf(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw new BadInput('is not valid UTF-8');
  return bytes.toString();
}

/** Returns the JSON value of bytes. @throws BadInput with the reason. */
export function parseJsonBytes(bytes: Buffer): unknown {
  const text = textOf(bytes);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new BadInput(`is not valid JSON: ${messageOf(error)}`, { cause: error });
  }
}

/** Returns the words that name the members which are not allowed, or undefined if all are. */
export function unknownMembers(object: object, allowed: readonly string[]): string | undefined {
  const unknown = Object.keys(object).filter((name) => !allowed.includes(name));
  if (unknown.length === 0) return undefined;
  const names = unknown.slice(0, MAX_NAMES).map((name) => JSON.stringify(name.slice(0, MAX_NAME_LENGTH)));
  const more = unknown.length > MAX_NAMES ? ' and more' : '';
  return `has unknown members ${names.join(', ')}${more}; allowed are ${allowed.join(', ')}`;
}

/** Converts carriage returns, and the soft line breaks of word processors (U+000B), to line feeds. */
export function withLineFeeds(value: unknown): unknown {
  return typeof value === 'string' ? value.replace(/\r\n?|\v/g, '\n') : value;
}
