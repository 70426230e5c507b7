import { readInput } from './arguments.js';
import type { Host } from './host.js';
import type { Arguments, Input, Options, Signature } from './signature.js';

/** An entry of the table of commands. */
export interface Command extends Signature {
  /** Runs it with the words behind its name and answers the exit code. */
  run(words: readonly string[], host: Host): Promise<number>;
}

/** A command from its signature, and what it does with the input that this signature allows. */
export function command<const Names extends Arguments, const Wanted extends Options>(
  signature: Signature<Names, Wanted>,
  run: (input: Input<Names, Wanted>, host: Host) => Promise<number>,
): Command {
  return { ...signature, run: async (words, host) => run(readInput(signature, words), host) };
}
