import { fork } from 'node:child_process';
import { once } from 'node:events';

/** Runs a program, and resolves when it has ended itself by SIGKILL. Rejects when it ends in another way. */
export async function untilKilled(program: URL, args: readonly string[]): Promise<void> {
  const child = fork(program, [...args]);
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
  if (signal !== 'SIGKILL') throw new Error(`the process ended with ${String(code ?? signal)}`);
}
