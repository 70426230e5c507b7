import type { Fate } from './fate.js';
import { say, type Terminal } from './host.js';
import { Progress } from './progress.js';

const MOST_LISTED = 1000;

/** What the operator sees of an import: progress, the lines that fail, and the sums. */
export class ImportReport {
  readonly #counts = { stored: 0, 'already there': 0, failed: 0 };
  readonly #progress: Progress;

  constructor(
    private readonly terminal: Terminal,
    size: number | undefined,
  ) {
    this.#progress = new Progress(terminal.stderr, size);
  }

  get failed(): number {
    return this.#counts.failed;
  }

  /** To be told of every line, in order. */
  readonly tell = ({ line, is, why }: Fate): void => {
    this.#counts[is] += 1;
    if (why !== undefined && this.failed <= MOST_LISTED) this.#progress.say(`line ${line.number}: ${why}`);
    this.#progress.advance(line.end, this.#read());
  };

  end(): void {
    const seconds = this.#progress.seconds();
    const { stored, 'already there': present, failed } = this.#counts;
    if (failed > MOST_LISTED) this.#progress.say(`and ${failed - MOST_LISTED} more lines that fail`);
    this.#progress.clear();
    const speed = Math.round(this.#read() / seconds);
    const sums = `${this.#read()} lines read, ${stored} stored, ${present} already there, ${failed} failed`;
    say(this.terminal.stdout, `${sums}; ${seconds.toFixed(1)} s, ${speed} lines/s`);
  }

  #read(): number {
    return this.#counts.stored + this.#counts['already there'] + this.#counts.failed;
  }
}
