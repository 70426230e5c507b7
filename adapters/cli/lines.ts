/** A line of a file; without bytes when it is longer than 64 KiB. */
export interface Line {
  /** From 1. */
  readonly number: number;
  /** Where the next one starts, in bytes from the start of the file. */
  readonly end: number;
  /** Without the line ending, be it LF or CRLF. */
  readonly bytes: Buffer | undefined;
}

export const LONGEST_LINE = 64 * 1024;
const LONGEST_READ_OVER = 1024 * 1024;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** Cuts a file that comes in pieces into lines. Of a long line it keeps nothing; at one over 1 MiB it gives up with an Error. */
export class LineSplitter {
  #number = 0;
  #end = 0;
  #length = 0;
  #pieces: Buffer[] = [];

  /** The lines that end in this piece. */
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

  /** The last line, if no line feed ended it. */
  *last(): Generator<Line> {
    if (this.#length > 0) yield this.#finish(0);
  }

  #keep(piece: Buffer): void {
    this.#length += piece.length;
    if (this.#length > LONGEST_READ_OVER)
      throw new Error(`line ${this.#number + 1}: is longer than 1 MiB; this cannot be a file of JSON lines`);
    if (this.#length > LONGEST_LINE + 1) this.#pieces = [];
    else if (piece.length > 0) this.#pieces.push(piece);
  }

  #finish(feedLength: number): Line {
    const bytes = this.#length > LONGEST_LINE + 1 ? undefined : this.#content();
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
    return content.length > LONGEST_LINE ? undefined : content;
  }
}

/** Whether there is nothing but white space in it. */
export function isBlank(bytes: Buffer): boolean {
  return bytes.every((byte) => byte === 0x20 || byte === 0x09 || byte === CARRIAGE_RETURN);
}
