import type { Log } from './log.js';

/** Why the service stops: asked to (0), or after a failure (1). */
export interface StopReason {
  readonly code: 0 | 1;
}

/** How long a process in an unknown state may take to end. */
const LAST_RESORT_MS = 4_500;

/**
 * Resolves at the first SIGTERM or SIGINT, or at the first uncaught failure: after that the state is unknown, and a new
 * process is better. Further signals change nothing: a terminal sends one to npm and to us, and npm passes its own on.
 */
export function untilStopped(log: Log): Promise<StopReason> {
  return new Promise((resolve) => {
    const failed = (error: unknown) => {
      log.fatal({ err: error }, 'an uncaught failure; the service stops');
      void log.flushed();
      setTimeout(() => process.exit(1), LAST_RESORT_MS).unref();
      resolve({ code: 1 });
    };
    process.on('uncaughtException', failed).on('unhandledRejection', failed);
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => resolve({ code: 0 }));
  });
}
