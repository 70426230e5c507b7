import { AuthorizationResponseError } from 'openid-client';
import type { IssuerRefused } from '../web/issuer-sign-in.js';

/** Codes of errors that say that the issuer did not answer. */
const NO_ANSWER = /^(OAUTH_TIMEOUT|OAUTH_ABORT|UND_ERR_\w+|E[A-Z]+)$/;
/** A code of an error as OAuth writes it; what else an issuer writes may be anything. */
const OAUTH_CODE = /^[a-z_]{1,64}$/;

/** What errors have that say why. */
interface Explained {
  readonly message?: unknown;
  readonly code?: unknown;
  readonly error?: unknown;
  readonly cause?: unknown;
}

/** Returns why an answer of the issuer was not taken. */
export function refusalOf(error: unknown): IssuerRefused {
  const reason = reasonOf(error);
  if (error instanceof AuthorizationResponseError && error.error === 'access_denied')
    return { outcome: 'cancelled', reason };
  const isSilent = chainOf(error).some(({ code }) => typeof code === 'string' && NO_ANSWER.test(code));
  return { outcome: isSilent ? 'unreachable' : 'not-taken', reason };
}

/**
 * Returns what an error says, without what the issuer has sent: only codes, and the sentences of the library, which
 * have no values.
 */
export function reasonOf(error: unknown): string {
  const parts = chainOf(error).map(({ message, code, error: given }) => {
    const sent = typeof given === 'string' && OAUTH_CODE.test(given) ? given : '';
    const isOfLibrary = typeof code === 'string' && (code.startsWith('OAUTH_') || NO_ANSWER.test(code));
    return [isOfLibrary || code === undefined ? String(message) : '', sent].filter((text) => text !== '').join(': ');
  });
  return parts
    .filter((part) => part !== '')
    .join('; ')
    .slice(0, 300);
}

/** Returns an error and its causes. A cause that is no error has the tokens that were checked. */
function chainOf(error: unknown): readonly Explained[] {
  if (!(error instanceof Error) || error instanceof SyntaxError) return [];
  return [error, ...chainOf(error.cause)];
}
