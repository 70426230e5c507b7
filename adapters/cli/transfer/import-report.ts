import type { ImportOutcome } from '../../../application/automation-transfer.js';
import type { ImportCounts } from '../../../domain/audit.js';
import { DomainError, type FieldError } from '../../../domain/errors.js';
import { messageOf, say, type Terminal } from '../session.js';
import { Progress } from '../terminal/progress.js';
import { memberOf } from './automation-lines.js';
import type { Line } from './lines.js';

/** The outcome of a line of an import, with the reason if it failed. */
export interface LineResult {
  readonly line: Line;
  readonly outcome: 'stored' | 'already there' | 'failed';
  readonly reason?: string;
}

const MAX_LISTED = 1_000;

/** Shows an import to the operator: progress, the lines that fail, and the totals. */
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

  get read(): number {
    return this.#counts.stored + this.#counts['already there'] + this.#counts.failed;
  }

  get counts(): ImportCounts {
    const { stored, 'already there': present, failed } = this.#counts;
    return { stored, present, failed };
  }

  /** Takes the result of every line, in the order of the file. */
  readonly add = ({ line, outcome, reason }: LineResult): void => {
    this.#counts[outcome] += 1;
    if (reason !== undefined && this.failed <= MAX_LISTED) this.#progress.say(`line ${line.number}: ${reason}`);
    this.#progress.advance(line.end, this.read);
  };

  end(): void {
    const seconds = this.#progress.seconds();
    const { stored, present, failed } = this.counts;
    if (failed > MAX_LISTED) this.#progress.say(`and ${failed - MAX_LISTED} more lines that fail`);
    this.#progress.clear();
    const speed = Math.round(this.read / seconds);
    const totals = `${this.read} lines read, ${stored} stored, ${present} already there, ${failed} failed`;
    say(this.terminal.stdout, `${totals}; ${seconds.toFixed(1)} s, ${speed} lines/s`);
  }
}

/** Returns the result of a line with this outcome. */
export function resultOf(outcome: ImportOutcome): Omit<LineResult, 'line'> {
  if (outcome.outcome === 'refused') return failed(outcome.error);
  return { outcome: outcome.outcome === 'stored' ? 'stored' : 'already there' };
}

/** Returns the result of a line that fails. */
export function failed(error: Error): Omit<LineResult, 'line'> {
  return { outcome: 'failed', reason: reasonOf(error) };
}

/** Returns every reason of an error, with the members as they are named in the file. */
function reasonOf(error: Error): string {
  const fields = error instanceof DomainError ? error.fields : [];
  return fields.length > 0 ? fields.map(sentenceOf).join('; ') : error.message;
}

export function sentenceOf({ field, detail }: FieldError): string {
  return `${memberOf(field)} ${detail}`;
}

/** Returns the error for a line that the store did not take. The lines before it are stored. */
export function storeFailed(line: Line, error: unknown): Error {
  const failure = `the store failed after ${line.number - 1} lines: ${messageOf(error)}`;
  return new Error(`${failure}; import the file again to continue`, { cause: error });
}
