import { say, type Output } from '../session.js';
import { counted } from './words.js';

const BAR_INTERVAL_MS = 100;
const LINE_INTERVAL_MS = 5_000;
const DEFAULT_COLUMNS = 80;
const MAX_BAR_WIDTH = 40;
const CLEAR_LINE = '\r\u001b[2K';

/** Shows the progress of long work: on one line of a terminal, else as a line now and then. */
export class Progress {
  readonly #start: number;
  #shownAt: number;
  #isLineShown = false;

  /** The size is in bytes, if it is known. The clock returns milliseconds since any moment. */
  constructor(
    private readonly output: Output,
    private readonly size: number | undefined,
    private readonly noun: 'line' | 'file' = 'line',
    private readonly clock: () => number = () => performance.now(),
  ) {
    this.#start = this.#shownAt = clock();
  }

  /** Shows how many bytes and lines are done, unless the last time was a moment ago. */
  advance(bytes: number, lines: number): void {
    const now = this.clock();
    if (now - this.#shownAt < (this.output.isTTY ? BAR_INTERVAL_MS : LINE_INTERVAL_MS)) return;
    this.#shownAt = now;
    if (this.output.isTTY) this.show(this.#barAndText(bytes, lines));
    else say(this.output, this.#text(bytes, lines));
  }

  /** Replaces the line on a terminal; does nothing elsewhere. */
  show(text: string): void {
    if (!this.output.isTTY) return;
    this.output.write(CLEAR_LINE + text.slice(0, this.#columns() - 1));
    this.#isLineShown = true;
  }

  /** Writes a line that stays, above the progress. */
  say(line: string): void {
    this.clear();
    say(this.output, line);
  }

  clear(): void {
    if (this.#isLineShown) this.output.write(CLEAR_LINE);
    this.#isLineShown = false;
  }

  seconds(): number {
    return (this.clock() - this.#start) / 1000;
  }

  #columns(): number {
    return this.output.columns ?? DEFAULT_COLUMNS;
  }

  #barAndText(bytes: number, lines: number): string {
    const text = this.#text(bytes, lines);
    const width = Math.min(MAX_BAR_WIDTH, this.#columns() - text.length - 4);
    return this.size === undefined || width < 1 ? text : `[${barOf(width, bytes / this.size)}] ${text}`;
  }

  #text(bytes: number, lines: number): string {
    const speed = `${counted(lines, this.noun)}, ${Math.round(lines / this.seconds())} ${this.noun}s/s`;
    return this.size === undefined ? speed : `${String(Math.floor((100 * bytes) / this.size)).padStart(3)}%, ${speed}`;
  }
}

function barOf(width: number, part: number): string {
  const done = Math.min(width, Math.floor(width * part));
  return '#'.repeat(done) + '-'.repeat(width - done);
}
