import type { Log } from './log.js';

/** Why the service stops, and with which exit code. */
export interface Stop {
  readonly code: 0 | 1;
}

/** In milliseconds: how long a process of which nothing is sure may take to end. */
const LAST_RESORT = 4_500;

/** Settles at the first SIGTERM or SIGINT, or at the first failure that nobody has caught: after it nothing is sure, and a new process is better. Signals that follow change nothing: a terminal sends one to npm and to us, and npm hands its own on. */
export function whenToStop(log: Log): Promise<Stop> {
  return new Promise((resolve) => {
    const failed = (error: unknown) => {
      log.fatal({ err: error }, 'a failure that nobody has caught; the service stops');
      void log.flushed();
      setTimeout(() => process.exit(1), LAST_RESORT).unref();
      resolve({ code: 1 });
    };
    process.on('uncaughtException', failed).on('unhandledRejection', failed);
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => resolve({ code: 0 }));
  });
}
