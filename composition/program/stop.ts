import { constants } from 'node:os';
import type { Log } from './log.js';
import { leaveTerminalAtExit } from './terminal.js';

/** Why the service stops: asked to (0), or after a failure (1). */
export interface StopReason {
  readonly code: 0 | 1;
}

/** How long a process in an unknown state may take to end. */
const LAST_RESORT_MS = 4_500;

/** Ctrl-C reaches the service twice under npm, which passes its own signal on. What comes later was pressed again. */
const ONE_INTERRUPT_MS = 300;

export type StopSignal = 'SIGTERM' | 'SIGINT' | 'SIGHUP';

/**
 * Resolves at the first of these signals, or at the first uncaught failure: after that the state is unknown, and a new
 * process is better. A second SIGINT ends the process at once. Other signals change nothing then.
 */
export function untilStopped(log: Log, signals: readonly StopSignal[]): Promise<StopReason> {
  return new Promise((resolve) => {
    const failed = (error: unknown) => {
      log.fatal({ err: error }, 'an uncaught failure; the service stops');
      void log.flushed();
      setTimeout(() => process.exit(1), LAST_RESORT_MS).unref();
      resolve({ code: 1 });
    };
    process.on('uncaughtException', failed).on('unhandledRejection', failed);
    for (const signal of signals) process.on(signal, () => resolve({ code: 0 }));
    if (signals.includes('SIGHUP')) process.once('SIGHUP', leaveTerminalAtExit);
    process.once('SIGINT', () => setTimeout(endAtNextInterrupt, ONE_INTERRUPT_MS).unref());
  });
}

function endAtNextInterrupt(): void {
  process.once('SIGINT', () => process.exit(128 + constants.signals.SIGINT));
}
