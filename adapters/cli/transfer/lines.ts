import { fileError, textBytes } from './file-kind.js';
import { BadInput, parseJsonBytes } from './json-input.js';

/** A line of a file, an item of its JSON array, or a file of a folder. */
export interface Line {
  readonly noun: 'line' | 'item' | 'file';
  /** As people find it: `line 3`, or the path of a file. */
  readonly name: string;
  /** From 1. */
  readonly number: number;
  /** The position after it, in bytes from the start of the file, or of the first file. */
  readonly end: number;
  /** The content without its line ending, LF or CRLF, or why it cannot be taken. */
  readonly bytes: Buffer | BadInput;
  /** What tells it from others, once in an import; without it, its bytes do, and copies count. */
  readonly identity?: string;
}

const MIB = 1024 * 1024;
/** As a create over the API may have: the file of an automation in base64, with its texts. */
export const MAX_LINE_BYTES = 2 * MIB;
/** A longer line ends the import: this is another kind of file. */
export const MAX_SKIPPED_BYTES = 4 * MIB;
/** The beginning of the first line, by which files of another kind are told. */
const BEGINNING_BYTES = 64 * 1024;
const MAX_ARRAY_MIB = 64;
const LINE_FEED = 0x0a;
const EXPECTED = 'expected is a JSON object on each line, or a JSON array of them';

/** Lines in the order of the file, as they come. */
export type Lines = AsyncIterable<readonly Line[]>;

/**
 * Returns the lines of a file that are not blank, or the items of its JSON array.
 * @throws Error with one sentence if it is a file of another kind.
 */
export async function readLines(pieces: AsyncIterable<Uint8Array>, maxArrayMiB = MAX_ARRAY_MIB): Promise<Lines> {
  const rest = pieces[Symbol.asyncIterator]();
  try {
    const beginning = await beginningOf(rest);
    const first = firstLine(beginning).trim();
    if (first.startsWith('[')) {
      const whole = await wholeOf(beginning, rest, maxArrayMiB);
      return itemsOf(parseJsonBytes(whole) as readonly unknown[], whole.length);
    }
    if (first === '{') throw new BadInput(`has JSON objects over several lines; ${EXPECTED}`);
    if (first !== '' && !first.startsWith('{')) throw new BadInput(`is not a list of JSON objects; ${EXPECTED}`);
    return linesOf(beginning, rest);
  } catch (error) {
    throw fileError(error);
  }
}

type Pieces = AsyncIterator<Uint8Array>;

/** Reads until the first line that is not blank is complete, or long enough. */
async function beginningOf(pieces: Pieces): Promise<Buffer> {
  let read: Buffer = Buffer.alloc(0);
  while (read.length <= BEGINNING_BYTES && !firstLine(textBytes(read)).endsWith('\n')) {
    const next = await pieces.next();
    if (next.done) break;
    read = Buffer.concat([read, next.value]);
  }
  return textBytes(read);
}

/** Returns the first line that is not blank, with its line feed. */
function firstLine(bytes: Buffer): string {
  return /^[^\n]*\n?/.exec(bytes.toString('latin1').trimStart())?.[0] ?? '';
}

async function wholeOf(beginning: Buffer, rest: Pieces, maxMiB: number): Promise<Buffer> {
  const pieces: Uint8Array[] = [beginning];
  let size = beginning.length;
  for (let next = await rest.next(); !next.done; next = await rest.next()) {
    pieces.push(next.value);
    size += next.value.length;
    if (size > maxMiB * MIB)
      throw new BadInput(`is a JSON array of more than ${maxMiB} MiB; write an object on each line`);
  }
  return Buffer.concat(pieces);
}

/** Yields the items of an array as if each were a line. */
async function* itemsOf(items: readonly unknown[], size: number): AsyncGenerator<readonly Line[]> {
  yield items.map((item, index) => {
    const end = Math.floor(((index + 1) / items.length) * size);
    const number = index + 1;
    return { noun: 'item', name: `item ${number}`, number, end, bytes: unlessLong(Buffer.from(JSON.stringify(item))) };
  });
}

async function* linesOf(beginning: Buffer, rest: Pieces): AsyncGenerator<readonly Line[]> {
  let number = 0;
  let end = 0;
  let open: Uint8Array[] = [];
  let openBytes = 0;
  const add = (part: Uint8Array) => {
    open.push(part);
    openBytes += part.length;
  };
  const close = (ending: number): Line => {
    number += 1;
    end += openBytes + ending;
    const bytes = Buffer.concat(open);
    [open, openBytes] = [[], 0];
    return { noun: 'line', name: `line ${number}`, number, end, bytes: unlessLong(withoutReturn(bytes)) };
  };
  for (let next: IteratorResult<Uint8Array> = { value: beginning }; !next.done; next = await rest.next()) {
    const lines: Line[] = [];
    let start = 0;
    for (let feed = next.value.indexOf(LINE_FEED); feed >= 0; feed = next.value.indexOf(LINE_FEED, start)) {
      add(next.value.subarray(start, feed));
      lines.push(close(1));
      start = feed + 1;
    }
    yield lines.filter(isFilled);
    add(next.value.subarray(start));
    if (openBytes > MAX_SKIPPED_BYTES)
      throw new Error(`line ${number + 1} is longer than 4 MiB; this cannot be a file of JSON lines`);
  }
  yield [close(0)].filter(isFilled);
}

function withoutReturn(bytes: Buffer): Buffer {
  return bytes.at(-1) === 0x0d ? bytes.subarray(0, -1) : bytes;
}

function unlessLong(bytes: Buffer): Buffer | BadInput {
  return bytes.length > MAX_LINE_BYTES ? new BadInput(`is longer than ${MAX_LINE_BYTES} bytes`) : bytes;
}

/** Tells whether a line has more than white space. */
function isFilled({ bytes }: Line): boolean {
  return bytes instanceof BadInput || bytes.some((byte) => byte !== 0x20 && byte !== 0x09 && byte !== 0x0d);
}

/** Returns the JSON object of a line. @throws BadInput that says what is wrong with it. */
export function objectOf({ bytes }: Line, members: readonly string[]): Readonly<Record<string, unknown>> {
  if (bytes instanceof BadInput) throw bytes;
  const item = parseJsonBytes(bytes);
  if (typeof item === 'object' && item !== null && !Array.isArray(item)) return item as Record<string, unknown>;
  throw new BadInput(`must be an object with ${members.join(', ')}`);
}
