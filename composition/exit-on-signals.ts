import { constants } from 'node:os';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Ends a command at a signal with the exit code that a shell gives it, so that what it does at its exit is done. Answers what takes this back. */
export function exitOnSignals(): () => void {
  const exit = (signal: NodeJS.Signals) => process.exit(128 + constants.signals[signal]);
  for (const signal of SIGNALS) process.once(signal, exit);
  return () => {
    for (const signal of SIGNALS) process.off(signal, exit);
  };
}
