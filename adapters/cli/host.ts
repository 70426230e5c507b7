import type { AuditTrail } from '../../application/audit-trail.js';
import type { AutomationTransfer } from '../../application/automation-transfer.js';
import type { DeveloperAccounts } from '../../application/developer-accounts.js';
import type { DeveloperKeys } from '../../application/developer-keys.js';
import type { Marketplace } from '../../application/marketplace.js';
import type { CategoryRepository } from '../../domain/ports.js';
import { printable } from './printable.js';

/** Where text goes; `process.stdout` and `process.stderr` are ones. */
export interface Output {
  /** `done` is called once it is written, or with why it could not be. */
  write(text: string, done?: (error?: Error | null) => void): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
}

/** Where a command writes, and reads what is piped into it; `process.stdin` unless another is given. */
export interface Terminal {
  readonly stdout: Output;
  readonly stderr: Output;
  readonly stdin?: AsyncIterable<Uint8Array | string>;
}

/** The configured store, opened, with the core around it. */
export interface Session {
  readonly marketplace: Marketplace;
  readonly transfer: AutomationTransfer;
  readonly keys: DeveloperKeys;
  readonly accounts: DeveloperAccounts;
  readonly audit: AuditTrail;
  readonly categories: CategoryRepository;
  /** The sign-in link that has this token. */
  readonly welcomeUrl: (token: string) => string;
  /** A sentence on what has such links lead nowhere, as the service is configured. */
  readonly whyLinksAreDead?: string | undefined;
  /** Copies the store into a file that is not there yet. Fails where the storage has tools of its own for that. */
  backup(file: string): Promise<void>;
  close(): Promise<void>;
}

/** What the commands need of the program that they are part of. */
export interface Host extends Terminal {
  /** What `--version` prints; without it there is no such option. */
  readonly version?: string;
  /** Whoever asks for it is not ended by a signal at once: it aborts then, and there are a few seconds to end what is under way. */
  readonly interruption?: () => AbortSignal;
  /** Runs the service until it is stopped, and answers the exit code. */
  serve(): Promise<number>;
  /** Opens the configured store. Fails with an Error whose message is for the operator. */
  open(missing: Missing): Promise<Session>;
}

/** What becomes of a store that is not there: it is made, for a command that puts into it what is its first, or refused, since its place was mistyped. */
export type Missing = 'made' | 'refused';

export const DONE = 0;
export const FAILED = 1;
export const WRONG_USAGE = 2;

/** Writes one line, in which no control character reaches the terminal. */
export function say(output: Output, line: string): void {
  output.write(`${printable(line)}\n`);
}

/** Writes a text and answers, once it is known, whether somebody took it. */
export function isTaken(output: Output, text: string): Promise<boolean> {
  return new Promise((resolve) => {
    output.write(text, (error) => resolve(!error));
  });
}

/** Opens a session, does the work and closes the session whatever came of it. */
export async function withSession<Result>(
  host: Host,
  work: (session: Session) => Promise<Result>,
  missing: Missing = 'refused',
): Promise<Result> {
  const session = await host.open(missing);
  try {
    return await work(session);
  } finally {
    await session.close();
  }
}
