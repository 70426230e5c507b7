import { isUtf8 } from 'node:buffer';

const BYTE_ORDER_MARK = 0xfeff;
const MOST_NAMED = 5;
const LONGEST_NAME = 40;

/** Says what is wrong with something that was read. */
export class BadInput extends Error {
  override readonly name = 'BadInput';
}

/** JSON from a file. @throws BadInput that says why the bytes are none. */
export function readJson(bytes: Buffer): unknown {
  return parseJson(textOf(bytes));
}

/** @throws BadInput when the bytes are not UTF-8, or start with a byte order mark. */
export function textOf(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw new BadInput('is not valid UTF-8');
  const text = bytes.toString();
  if (text.charCodeAt(0) === BYTE_ORDER_MARK)
    throw new BadInput('starts with a byte order mark (BOM); save the file as UTF-8 without one');
  return text;
}

/** @throws BadInput that says why the text is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new BadInput(`is not valid JSON: ${messageOf(error)}`, { cause: error });
  }
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Names the members that do not belong there; undefined when there are none. */
export function unknownMembers(object: object, allowed: readonly string[]): string | undefined {
  const unknown = Object.keys(object).filter((name) => !allowed.includes(name));
  if (unknown.length === 0) return undefined;
  const names = unknown.slice(0, MOST_NAMED).map((name) => JSON.stringify(name.slice(0, LONGEST_NAME)));
  const more = unknown.length > MOST_NAMED ? ' and more' : '';
  return `unknown members ${names.join(', ')}${more}; allowed are ${allowed.join(', ')}`;
}

/** The value, and if it is text with line feeds for its carriage returns: files are written on every system. */
export function withLineFeeds(value: unknown): unknown {
  return typeof value === 'string' && value.includes('\r') ? value.replace(/\r\n?/g, '\n') : value;
}
