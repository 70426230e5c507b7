/** The name or address after the code of a system call that failed: `getaddrinfo ENOTFOUND db.example`. */
const AFTER_CODE = /\b(E[A-Z]{3,}) [^\s,;)]+/g;
const HOST_AND_PORT = /(?:\[[\da-f:.]+\]|\b[\w.-]+):\d{1,5}\b/gi;
const ALT_NAMES = /(does not match certificate's altnames):.*/s;

/**
 * Returns the message of a driver without the names and addresses of machines. A password with a `/` or `@` that is not
 * written with `%` may be taken for one.
 */
export function withoutAddresses(message: string): string {
  return message.replace(AFTER_CODE, '$1').replace(ALT_NAMES, '$1').replace(HOST_AND_PORT, 'the server');
}

/** Returns a cause for the log: the error itself, or one with this message and what tells its kind. */
export function causeWith(message: string, error: unknown): unknown {
  if (!(error instanceof Error) || error.message === message) return error;
  const { name, code, severity } = error as Error & { readonly code?: unknown; readonly severity?: unknown };
  return Object.assign(new Error(message), { name, code, severity });
}
