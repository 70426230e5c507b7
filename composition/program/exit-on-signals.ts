import { constants } from 'node:os';
import { leaveTerminalAtExit } from './terminal.js';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** In milliseconds: how long what asked for the interruption may take to end. */
const LAST_WORK = 5_000;

/** Ends a command at a signal with the exit code that a shell gives it, so that what it does at its exit is done. */
export class ExitOnSignals {
  #interruption: AbortController | undefined;

  constructor() {
    for (const signal of SIGNALS) process.on(signal, this.#end);
  }

  /**
   * From now on a signal does not end the process at once, but aborts this; more of them change nothing, since those of
   * a terminal come from npm as well.
   */
  readonly interruption = (): AbortSignal => {
    this.#interruption ??= new AbortController();
    return this.#interruption.signal;
  };

  /** From now on signals are nothing to it. */
  leave(): void {
    for (const signal of SIGNALS) process.off(signal, this.#end);
  }

  readonly #end = (signal: NodeJS.Signals): void => {
    process.exitCode = 128 + constants.signals[signal];
    if (signal === 'SIGHUP') leaveTerminalAtExit();
    if (this.#interruption === undefined) process.exit();
    this.#interruption.abort(
      new Error(`interrupted by ${signal}; import it again: it resumes, and nothing is stored twice`),
    );
    setTimeout(() => process.exit(), LAST_WORK).unref();
  };
}
