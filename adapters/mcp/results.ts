import { MAX_FILE_BYTES } from '../../domain/file.js';
import { codePoints } from '../../domain/text.js';
import type { Automation } from '../client/index.js';

/**
 * The bytes of a result, which stands twice in an answer: as structured content, and as JSON in a text, for agents that
 * read texts alone. So it has less than 10,000 tokens in every tokenizer that makes a byte at most one token.
 */
const MAX_BYTES = 9_600;

/** The number of items of a page. Twenty of the longest have less than `MAX_BYTES`. */
export const ITEMS = { lowest: 1, highest: 20, usual: 20 } as const;
const MAX_NAME_BYTES = 240;

/** Returns a page in which titles or names that are very long end with an ellipsis. */
export function itemsJson<Name extends string, Item extends { readonly [Member in Name]: string }>(
  { data, total, page }: { readonly data: readonly Item[]; readonly total: number; readonly page: number },
  name: Name,
) {
  return { data: data.map((item) => ({ ...item, [name]: shortened(item[name]) })), total, page };
}

function shortened(name: string): string {
  const begin = beginning(name, MAX_NAME_BYTES);
  return begin === name ? name : `${begin}…`;
}

/**
 * Returns an automation with as much of its description as fits, from a number of code points on, and where the rest
 * begins.
 */
export function partOfAutomation(automation: Automation, from = 0) {
  const shown = withShortFacts(automation);
  const rest = Array.from(automation.description).slice(from).join('');
  const others = bytesOf({ ...shown, description: '', description_continues_at: 10_000, replayed: false });
  const description = beginning(rest, MAX_BYTES - others);
  if (description === rest) return { ...shown, description };
  return { ...shown, description, description_continues_at: from + codePoints(description) };
}

/** Returns as much of a text file as fits, from a byte on, and where the rest begins. It is cut between characters. */
export function partOfFile<Details extends object>(details: Details, content: Uint8Array, from: number) {
  const others = bytesOf({ ...details, from, text: '', continues_at: MAX_FILE_BYTES });
  const text = beginning(textIn(content.subarray(from, from + MAX_BYTES)), MAX_BYTES - others);
  const end = from + Buffer.byteLength(text);
  return { ...details, from, text, ...(end < content.length && { continues_at: end }) };
}

/** Leaves out a character at the end that is not complete. */
function textIn(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes, { stream: true });
}

/** Leaves out the facts of a file that would leave no room for the description. */
function withShortFacts(automation: Automation): Automation {
  const { file } = automation;
  return file && bytesOf(file) > MAX_BYTES / 2 ? { ...automation, file: { ...file, facts: null } } : automation;
}

/** Returns the beginning of a text that has at most this many bytes in a result, cut between two code points. */
function beginning(text: string, maxBytes: number): string {
  const empty = bytesOf('');
  if (bytesOf(text) - empty <= maxBytes) return text;
  let [bytes, end] = [0, 0];
  for (const character of text) {
    bytes += bytesOf(character) - empty;
    if (bytes > maxBytes) break;
    end += character.length;
  }
  return text.slice(0, end);
}

/** Returns the bytes of a value as JSON, and as JSON in a text of JSON. */
function bytesOf(value: unknown): number {
  const json = JSON.stringify(value);
  return Buffer.byteLength(json) + Buffer.byteLength(JSON.stringify(json));
}
