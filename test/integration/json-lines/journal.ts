import {
  closeSync,
  existsSync,
  fsyncSync,
  ftruncateSync,
  fstatSync,
  openSync,
  readFileSync,
  truncateSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { DomainError } from 'automation-marketplace';

/** What is a time in a line; JSON has none. */
const TIMES: readonly string[] = ['asOf', 'at', 'createdAt', 'idempotencyKeyUntil'];

/**
 * A file of JSON lines that only grows, written by one process. A line is in it whole or not at all, and is on disk
 * once `append` returns.
 */
export class Journal<Line> {
  /** In bytes, up to the end of the last whole line. */
  #length: number;

  constructor(private readonly file: string) {
    if (!existsSync(file)) create(file);
    const bytes = readFileSync(file);
    this.#length = bytes.lastIndexOf('\n') + 1;
    if (this.#length < bytes.length) truncateSync(file, this.#length);
  }

  lines(): readonly Line[] {
    const text = readFileSync(this.file, 'utf8');
    return text
      .split('\n')
      .slice(0, -1)
      .map((line) => parse(line) as Line);
  }

  /** What was appended, as it will be read again. */
  append(line: Line): Line {
    const text = `${JSON.stringify(line)}\n`;
    const descriptor = this.#open();
    try {
      this.#write(descriptor, Buffer.from(text));
    } finally {
      closeSync(descriptor);
    }
    return parse(text) as Line;
  }

  #open(): number {
    try {
      return openSync(this.file, 'r+');
    } catch (error) {
      throw new DomainError('unavailable', 'store-unavailable', 'the file cannot be opened', [], { cause: error });
    }
  }

  /** What could not be written as a whole is cut off again; if that fails as well, nobody knows what is there. */
  #write(descriptor: number, bytes: Uint8Array): void {
    try {
      if (fstatSync(descriptor).size !== this.#length) throw new Error('somebody else writes to the file');
      for (let done = 0; done < bytes.length;)
        done += writeSync(descriptor, bytes, done, bytes.length - done, this.#length + done);
      fsyncSync(descriptor);
      this.#length += bytes.length;
    } catch (error) {
      throw this.#cutBack(descriptor, error);
    }
  }

  #cutBack(descriptor: number, cause: unknown): DomainError {
    try {
      ftruncateSync(descriptor, this.#length);
      fsyncSync(descriptor);
      return new DomainError('unavailable', 'store-unavailable', 'the file could not be written', [], { cause });
    } catch {
      return new DomainError('outcome-unknown', 'no-answer', 'the file could not be written, nor cut back', [], {
        cause,
      });
    }
  }
}

function parse(line: string): unknown {
  return JSON.parse(line, (name, value: unknown) => (TIMES.includes(name) ? new Date(value as string) : value));
}

/** That there is a file is on disk only when its folder is. */
function create(file: string): void {
  closeSync(openSync(file, 'wx'));
  const folder = openSync(dirname(file), 'r');
  fsyncSync(folder);
  closeSync(folder);
}
