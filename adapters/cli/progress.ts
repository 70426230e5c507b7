import { say, type Output } from './host.js';

const REDRAW_EVERY = 100;
const SAY_EVERY = 5000;
const USUAL_COLUMNS = 80;
const WIDEST_BAR = 40;
const CLEAR_LINE = '\r\u001b[2K';

/** Shows how far a long work has come: a bar on a terminal, a line now and then elsewhere. */
export class Progress {
  readonly #start: number;
  #shownAt: number;
  #barStands = false;

  /** The size in bytes, if known; the clock in milliseconds, from any start. */
  constructor(
    private readonly output: Output,
    private readonly size: number | undefined,
    private readonly clock: () => number = () => performance.now(),
  ) {
    this.#start = this.#shownAt = clock();
  }

  /** So many bytes and lines are done; shown if it is time. */
  advance(bytes: number, lines: number): void {
    const now = this.clock();
    if (now - this.#shownAt < (this.output.isTTY ? REDRAW_EVERY : SAY_EVERY)) return;
    this.#shownAt = now;
    if (this.output.isTTY) this.#draw(bytes, lines);
    else say(this.output, this.#words(bytes, lines));
  }

  /** Writes a line that stays, above the bar. */
  say(line: string): void {
    this.clear();
    say(this.output, line);
  }

  clear(): void {
    if (this.#barStands) this.output.write(CLEAR_LINE);
    this.#barStands = false;
  }

  seconds(): number {
    return (this.clock() - this.#start) / 1000;
  }

  #draw(bytes: number, lines: number): void {
    const columns = this.output.columns ?? USUAL_COLUMNS;
    const words = this.#words(bytes, lines);
    const width = Math.min(WIDEST_BAR, columns - words.length - 4);
    const bar = this.size === undefined || width < 1 ? '' : `[${barOf(width, bytes / this.size)}] `;
    this.output.write(CLEAR_LINE + (bar + words).slice(0, columns - 1));
    this.#barStands = true;
  }

  #words(bytes: number, lines: number): string {
    const speed = `${lines} lines, ${Math.round(lines / this.seconds())} lines/s`;
    return this.size === undefined ? speed : `${String(Math.floor((100 * bytes) / this.size)).padStart(3)}%, ${speed}`;
  }
}

function barOf(width: number, part: number): string {
  const done = Math.min(width, Math.floor(width * part));
  return '#'.repeat(done) + '-'.repeat(width - done);
}
