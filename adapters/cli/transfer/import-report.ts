import { HostRulesError } from '../../../application/host-rules.js';
import type { ImportCounts } from '../../../domain/audit.js';
import { DomainError, type FieldError } from '../../../domain/errors.js';
import { memberOf } from '../../api/representations.js';
import { messageOf, say, type Terminal } from '../session.js';
import { Progress } from '../terminal/progress.js';
import { counted, detailOf } from '../terminal/words.js';
import { BadInput } from './json-input.js';
import type { Line } from './lines.js';

/** The outcome of a line of an import, with the reason if it failed. */
export interface LineResult {
  readonly line: Line;
  readonly outcome: 'stored' | 'already there' | 'failed';
  readonly reason?: string;
}

const MAX_LISTED = 20;

/** Shows an import to the operator: progress, the lines that fail, and the totals. */
export class ImportReport {
  readonly #counts = { stored: 0, 'already there': 0, failed: 0 };
  readonly #progress: Progress;

  constructor(
    private readonly terminal: Terminal,
    size: number | undefined,
    private readonly noun: 'line' | 'file' = 'line',
  ) {
    this.#progress = new Progress(terminal.stderr, size, noun);
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
    if (reason !== undefined && this.failed <= this.#maxListed) this.#progress.say(line.name + reason);
    this.#progress.advance(line.end, this.read);
  };

  readonly end = (): void => {
    const seconds = this.#progress.seconds();
    const { stored, present, failed } = this.counts;
    if (failed > this.#maxListed) this.#progress.say(`and ${counted(failed - MAX_LISTED, 'more line')} that failed`);
    this.#progress.clear();
    const speed = Math.round(this.read / seconds);
    const read = `${counted(this.read, this.noun)} read`;
    const totals = `${read}, ${stored} stored, ${present} already there, ${failed} failed`;
    say(this.terminal.stdout, `${totals}; ${seconds.toFixed(1)} s, ${speed} ${this.noun}s/s`);
  };

  /** All files are listed: their names say more than numbers of lines. */
  get #maxListed(): number {
    return this.noun === 'file' ? Infinity : MAX_LISTED;
  }
}

export function failed(line: Line, error: Error): LineResult {
  return { line, outcome: 'failed', reason: reasonOf(error, line) };
}

/** Returns every reason of an error as it follows the name of the line, with the members as the file names them. */
function reasonOf(error: Error, { noun }: Line): string {
  if (error instanceof BadInput) return ` ${error.message}`;
  if (!(error instanceof DomainError)) return `: ${error.message}`;
  if (noun === 'file' && error.code === 'idempotency-key-reused') return `: ${IMPORTED_OTHERWISE}`;
  const sentences = error.fields.map((one) => sentenceOf(one) + (noun === 'file' ? ` (${one.code})` : ''));
  return `: ${sentences.join('; ') || error.message}`;
}

const IMPORTED_OTHERWISE =
  'was imported before, with another category or licence; `automations revise` changes what is on sale';

export function sentenceOf(error: FieldError): string {
  return `${memberOf(error.field)} ${detailOf(error)}`;
}

/** Returns the error for a line that the store, or the rules of the host, could not judge. Those before are stored. */
export function importFailed(line: Line, error: unknown): Error {
  const isOfRules = error instanceof HostRulesError;
  const [part, reason] = isOfRules ? ['the rules of the host', error.reason] : ['the store', messageOf(error)];
  const failure = `${part} failed after ${counted(line.number - 1, line.noun)}: ${reason}`;
  return new Error(`${failure}; import it again: it resumes, and nothing is stored twice`, { cause: error });
}
