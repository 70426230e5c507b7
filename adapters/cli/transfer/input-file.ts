import { createReadStream, fstatSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { addAbortSignal, Readable } from 'node:stream';
import { messageOf, type Terminal } from '../session.js';

/** A file that is read once, in pieces. */
interface InputFile {
  /** The size in bytes; undefined if it is not known before reading. */
  readonly size: number | undefined;
  /** Closes the file at its end, or when `return` is called. */
  readonly pieces: AsyncGenerator<Uint8Array>;
}

const PIECE_BYTES = 256 * 1024;

/**
 * Opens a file, or standard input for `-`. The pieces fail with the reason of the signal when it aborts.
 * @throws Error that says why the file cannot be read.
 */
export async function openInput(path: string, terminal: Terminal, interruption?: AbortSignal): Promise<InputFile> {
  const { stdin = process.stdin } = terminal;
  const status = path === '-' ? statusOf(stdin) : await stat(path).catch(fail(path));
  if (status?.isDirectory())
    throw new Error(`cannot read ${path === '-' ? 'standard input' : path}: it is a directory`);
  const stream = path === '-' ? stdin : createReadStream(path, { highWaterMark: PIECE_BYTES });
  if (interruption && stream instanceof Readable) addAbortSignal(interruption, stream);
  return { size: status?.isFile() ? status.size : undefined, pieces: piecesOf(stream, path, interruption) };
}

/** Returns the path of a file; undefined for standard input. */
export function fileOf(path: string): string | undefined {
  return path === '-' ? undefined : path;
}

/** Returns what standard input is; Node reads a directory as empty input. */
function statusOf(stdin: unknown) {
  return stdin === process.stdin ? fstatSync(process.stdin.fd) : undefined;
}

async function* piecesOf(
  stream: AsyncIterable<Uint8Array | string>,
  path: string,
  interruption: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  try {
    for await (const piece of stream) {
      interruption?.throwIfAborted();
      yield typeof piece === 'string' ? Buffer.from(piece) : piece;
    }
  } catch (error) {
    interruption?.throwIfAborted();
    fail(path === '-' ? 'standard input' : path)(error);
  }
}

/** Returns the whole content of a file. @throws Error if it has more than `maxBytes`. */
export async function readInput(path: string, terminal: Terminal, maxBytes: number): Promise<Buffer> {
  const { pieces } = await openInput(path, terminal);
  const read: Uint8Array[] = [];
  let size = 0;
  for await (const piece of pieces) {
    size += piece.length;
    if (size > maxBytes) throw new Error(`the file has more than ${maxBytes} bytes`);
    read.push(piece);
  }
  return Buffer.concat(read);
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'permission denied',
  EISDIR: 'it is a directory',
  ELOOP: 'its links lead in a circle',
};

/** Returns why a file cannot be read, in words. */
export function whyUnreadable(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return REASONS[code] ?? messageOf(error);
}

function fail(path: string): (error: unknown) => never {
  return (error) => {
    throw new Error(`cannot read ${path}: ${whyUnreadable(error)}`, { cause: error });
  };
}
