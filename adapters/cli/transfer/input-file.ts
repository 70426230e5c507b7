import { fstatSync } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { addAbortSignal, Readable } from 'node:stream';
import { messageOf, type Terminal } from '../session.js';

/** A file that is read once, in pieces. */
interface InputFile {
  /** The size in bytes; undefined if it is not known before reading. */
  readonly size: number | undefined;
  readonly pieces: AsyncIterable<Uint8Array>;
  close(): Promise<void>;
}

const PIECE_BYTES = 256 * 1024;

/**
 * Opens a file, or standard input for `-`. The pieces fail with the reason of the signal when it aborts.
 * @throws Error that says why the file cannot be read.
 */
export async function openInput(path: string, terminal: Terminal, interruption?: AbortSignal): Promise<InputFile> {
  const { stdin = process.stdin } = terminal;
  const input = path === '-' ? openStandardInput(stdin, interruption) : await openFile(path);
  return { ...input, pieces: untilInterrupted(input.pieces, interruption) };
}

/** Returns the path of a file; undefined for standard input. */
export function fileOf(path: string): string | undefined {
  return path === '-' ? undefined : path;
}

async function openFile(path: string): Promise<InputFile> {
  const file = await open(path).catch((error: unknown) => Promise.reject(unreadable(path, error)));
  const status = await file.stat();
  if (status.isDirectory()) {
    await file.close();
    throw new Error(`cannot read ${path}: it is a directory`);
  }
  return { size: status.isFile() ? status.size : undefined, pieces: piecesOf(file), close: () => file.close() };
}

/** Checks for a directory, which Node reads as empty input. */
function openStandardInput(stdin: Required<Terminal>['stdin'], interruption: AbortSignal | undefined): InputFile {
  if (stdin === process.stdin && fstatSync(process.stdin.fd).isDirectory())
    throw new Error('cannot read standard input: it is a directory');
  if (interruption && stdin instanceof Readable) addAbortSignal(interruption, stdin);
  return { size: undefined, pieces: inBytes(stdin), close: async () => undefined };
}

/** Returns the whole content of a file. @throws Error if it has more than `maxBytes`. */
export async function readInput(path: string, terminal: Terminal, maxBytes: number): Promise<Buffer> {
  const file = await openInput(path, terminal);
  const pieces: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const piece of file.pieces) {
      size += piece.length;
      if (size > maxBytes) throw new Error(`the file has more than ${maxBytes} bytes`);
      pieces.push(piece);
    }
  } finally {
    await file.close();
  }
  return Buffer.concat(pieces);
}

type Pieces = AsyncIterable<Uint8Array>;

async function* untilInterrupted(pieces: Pieces, interruption: AbortSignal | undefined): AsyncGenerator<Uint8Array> {
  try {
    for await (const piece of pieces) {
      interruption?.throwIfAborted();
      yield piece;
    }
  } catch (error) {
    interruption?.throwIfAborted();
    throw error;
  }
}

/** Allocates new memory for each piece, since its lines are kept while they are stored. */
async function* piecesOf(file: FileHandle): AsyncGenerator<Uint8Array> {
  for (;;) {
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(PIECE_BYTES), 0, PIECE_BYTES);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
  }
}

async function* inBytes(stream: AsyncIterable<Uint8Array | string>): AsyncGenerator<Uint8Array> {
  for await (const piece of stream) yield typeof piece === 'string' ? Buffer.from(piece) : piece;
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'permission denied',
  EISDIR: 'it is a directory',
};

function unreadable(path: string, error: unknown): Error {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return new Error(`cannot read ${path}: ${REASONS[code] ?? messageOf(error)}`, { cause: error });
}
