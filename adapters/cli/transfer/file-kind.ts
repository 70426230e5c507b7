import { BadInput } from './json-input.js';

const MARK = Buffer.from('efbbbf', 'hex');

/** What files that are no text begin with, in hexadecimal digits. */
const KINDS: Readonly<Record<string, string>> = {
  '1f8b': 'is compressed (gzip)',
  '425a68': 'is compressed (bzip2)',
  '28b52ffd': 'is compressed (zstd)',
  fd377a585a: 'is compressed (xz)',
  '504b0304': 'is a ZIP archive, as spreadsheets are',
  '53514c697465': 'is an SQLite database',
  fffe: 'is text in UTF-16',
  feff: 'is text in UTF-16',
};

/** Returns the beginning of a text file without a byte order mark. @throws BadInput if it is a file of another kind. */
export function textBytes(beginning: Buffer): Buffer {
  const digits = beginning.subarray(0, 8).toString('hex');
  const kind = Object.entries(KINDS).find(([signature]) => digits.startsWith(signature))?.[1];
  if (kind !== undefined) throw new BadInput(`${kind}; expected is text in UTF-8`);
  return beginning.subarray(0, MARK.length).equals(MARK) ? beginning.subarray(MARK.length) : beginning;
}

/** Returns the error for a file that cannot be read as a whole. */
export function fileError(error: unknown): unknown {
  return error instanceof BadInput ? new Error(`the file ${error.message}`, { cause: error }) : error;
}
