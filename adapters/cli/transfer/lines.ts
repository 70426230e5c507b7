/** A line of a file. */
export interface Line {
  /** From 1. */
  readonly number: number;
  /** The position after the line ending, in bytes from the start of the file. */
  readonly end: number;
  /** The content without its line ending, LF or CRLF. Undefined if it is longer than 64 KiB. */
  readonly bytes: Buffer | undefined;
}

export const MAX_LINE_BYTES = 64 * 1024;
const MAX_SKIPPED_BYTES = 1024 * 1024;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** Splits a file that comes in pieces into lines. Skips the content of a long line; throws at one of over 1 MiB. */
export class LineSplitter {
  #number = 0;
  #end = 0;
  #length = 0;
  #pieces: Buffer[] = [];

  /** Returns the lines that end in this piece. */
  *lines(piece: Uint8Array): Generator<Line> {
    const bytes = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
    let start = 0;
    for (let feed = bytes.indexOf(LINE_FEED); feed >= 0; feed = bytes.indexOf(LINE_FEED, start)) {
      this.#keep(bytes.subarray(start, feed));
      start = feed + 1;
      yield this.#finish(1);
    }
    this.#keep(bytes.subarray(start));
  }

  /** Returns the last line if it has no line ending. */
  *last(): Generator<Line> {
    if (this.#length > 0) yield this.#finish(0);
  }

  #keep(piece: Buffer): void {
    this.#length += piece.length;
    if (this.#length > MAX_SKIPPED_BYTES)
      throw new Error(`line ${this.#number + 1}: is longer than 1 MiB; this cannot be a file of JSON lines`);
    if (this.#length > MAX_LINE_BYTES + 1) this.#pieces = [];
    else if (piece.length > 0) this.#pieces.push(piece);
  }

  #finish(feedLength: number): Line {
    const bytes = this.#length > MAX_LINE_BYTES + 1 ? undefined : this.#content();
    this.#number += 1;
    this.#end += this.#length + feedLength;
    this.#length = 0;
    this.#pieces = [];
    return { number: this.#number, end: this.#end, bytes };
  }

  #content(): Buffer | undefined {
    const [only] = this.#pieces;
    const bytes = only !== undefined && this.#pieces.length === 1 ? only : Buffer.concat(this.#pieces);
    const content = bytes.at(-1) === CARRIAGE_RETURN ? bytes.subarray(0, -1) : bytes;
    return content.length > MAX_LINE_BYTES ? undefined : content;
  }
}

/** Tells whether a line has nothing but white space. */
export function isBlank({ bytes }: Line): boolean {
  return bytes?.every((byte) => byte === 0x20 || byte === 0x09 || byte === CARRIAGE_RETURN) ?? false;
}
