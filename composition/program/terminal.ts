import { closeSync } from 'node:fs';
import { isatty } from 'node:tty';

const STANDARD_STREAMS = [0, 1, 2];

/** Returns whether this process was started in a terminal, which sends SIGHUP when it is closed. */
export function isInTerminal(): boolean {
  return STANDARD_STREAMS.some((descriptor) => isatty(descriptor));
}

/** Has the process end without its terminal: Node aborts at the exit when it cannot restore one that was closed. */
export function leaveTerminalAtExit(): void {
  process.once('exit', () => {
    for (const descriptor of STANDARD_STREAMS) closeIfOpen(descriptor);
  });
}

function closeIfOpen(descriptor: number): void {
  try {
    closeSync(descriptor);
  } catch {
    return;
  }
}
