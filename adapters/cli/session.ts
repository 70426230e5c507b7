import type { UseCases } from '../../application/core.js';
import type { Difference } from '../../domain/ports.js';
import { printable } from './terminal/printable.js';

/** A stream of text, such as `process.stdout` and `process.stderr`. */
export interface Output {
  /** Calls `done` when the text is written, or with the error if it cannot be written. */
  write(text: string | Uint8Array, done?: (error?: Error | null) => void): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
}

/** The streams of a command. */
export interface Terminal {
  readonly stdout: Output;
  readonly stderr: Output;
  /** `process.stdin` by default. */
  readonly stdin?: AsyncIterable<Uint8Array | string>;
}

/**
 * Returns what a file that a tool exported says of itself, and its content without what changes from export to export;
 * undefined for a file of no tool that is known. A file without a name has neither title nor `fileName`.
 */
export type DescribeFile = (content: Uint8Array) => Promise<
  | {
      readonly title?: string;
      readonly fileName?: string;
      readonly description: string;
      readonly content: string;
    }
  | undefined
>;

/** The configured store, opened, with the core around it. */
export interface Session extends Pick<
  UseCases,
  'marketplace' | 'records' | 'transfer' | 'keys' | 'accounts' | 'apps' | 'audit' | 'categories'
> {
  /** Whether automations can be found by words. */
  readonly search: boolean;
  readonly describeFile: DescribeFile;
  readonly welcomeUrl: (token: string) => string;
  /** A sentence that says why such links do not work with this configuration; undefined if they do. */
  readonly whyLinksAreDead?: string | undefined;
  /** Counts everything again that is derived from the automations, and returns what differed. */
  check(options: { readonly repair: boolean }): Promise<readonly Difference[]>;
  /**
   * Makes a new signing key of the authorization server, and returns its id; with `atOnce` the old ones are removed.
   * Fails where there is none.
   */
  rotateSigningKeys(rotation: { readonly atOnce: boolean }): Promise<string>;
  /** Copies the store to a new file. Fails where the storage has its own tools for that. */
  backup(file: string): Promise<void>;
  close(): Promise<void>;
}

/** The keys of the environment with which a command acts; empty where none is set. */
export interface CommandKeys {
  readonly key: string;
  readonly writeKey: string;
}

/** A setting of the program, for the help and the flags of `serve`. */
export interface SettingHelp {
  readonly default: string;
  readonly meaning: string;
  readonly secret?: true;
  /** The placeholder of its flag, if it has one. */
  readonly flag?: string;
}

/** The program around the commands. */
export interface Host extends Terminal {
  /** How the program is typed. */
  readonly name: string;
  /** The text that `--version` prints; without it there is no such option. */
  readonly version?: string;
  /** The settings by their names. */
  readonly settings: Readonly<Record<string, SettingHelp>>;
  /** Returns a signal that aborts when the process is asked to end; a few seconds remain to finish the work. */
  readonly interruption?: () => AbortSignal;
  /** Runs the service with the settings that were given as flags until it is stopped, and returns the exit code. */
  serve(flags: Readonly<Record<string, string | undefined>>): Promise<number>;
  /**
   * Serves the tools for agents over standard input and output, as the owner of the key, until the input ends. Fails
   * with an Error whose message is for the operator.
   */
  serveAgent(key: string): Promise<void>;
  /** Reads the keys of the environment. Fails with an Error whose message is for the operator. */
  keys(): Promise<CommandKeys>;
  /**
   * Puts a backup in the place of the configured store, and returns where the earlier one is kept. Fails with an Error
   * whose message is for the operator.
   */
  restore(file: string): Promise<string | undefined>;
  /** Opens the configured store. Fails with an Error whose message is for the operator. */
  open(ifMissing: IfMissing): Promise<Session>;
}

/** Without a store: create it, or refuse, since DATA_DIR was probably mistyped. */
export type IfMissing = 'create' | 'refuse';

/** Writes one line; control characters are escaped. */
export function say(output: Output, line: string): void {
  output.write(`${printable(line)}\n`);
}

/** Writes a text, or bytes. Resolves to false if that failed, for example because nothing reads the output. */
export function writeAndConfirm(output: Output, text: string | Uint8Array): Promise<boolean> {
  return new Promise((resolve) => {
    output.write(text, (error) => resolve(!error));
  });
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Opens a session, does the work and closes the session, also after a failure. */
export async function withSession<Result>(
  host: Host,
  work: (session: Session) => Promise<Result>,
  ifMissing: IfMissing = 'refuse',
): Promise<Result> {
  const session = await host.open(ifMissing);
  try {
    return await work(session);
  } finally {
    await session.close();
  }
}
