import type { DeveloperId } from './access.js';
import { DomainError, type ReportViolation } from './errors.js';
import type { Scope } from './scope.js';
import { checkText, type TextRule } from './text.js';

/** A UUID, in lower case (RFC 9562): the `client_id` of an app; no secret. */
export type AppId = string & { readonly __brand: 'AppId' };

/**
 * The kinds of apps: a `web` server that keeps a secret, a `native` program on the devices of its users, which cannot
 * keep one, and a `machine`, which acts for the developer who registered it.
 */
export const APP_KINDS = ['web', 'native', 'machine'] as const;
/** One of these kinds. */
export type AppKind = (typeof APP_KINDS)[number];

/** A client of the authorization server that a developer registered. */
export interface App {
  readonly id: AppId;
  /** The developer who registered it. */
  readonly developerId: DeveloperId;
  readonly name: string;
  readonly kind: AppKind;
  /** Where browsers are led back to; empty for a machine. */
  readonly redirectUris: readonly string[];
  /** The most that it may ask for. */
  readonly scopes: readonly Scope[];
  readonly createdAt: Date;
  /** SHA-256 of the secret, in hexadecimal; undefined for a native app. */
  readonly secretHash?: string | undefined;
}

export const APP_NAME: TextRule = { maxLength: 100, multiline: false };
export const MAX_REDIRECT_URIS = 10;
const REDIRECT_URI: TextRule = { maxLength: 500, multiline: false };
const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/** Returns the kind. Reports a text that is none. */
export function checkAppKind(value: string, report: ReportViolation): AppKind {
  const kind = APP_KINDS.find((known) => known === value);
  if (kind === undefined) report('unknown-value', `must be one of ${APP_KINDS.join(', ')}`);
  return kind ?? 'machine';
}

/** Returns the name with its ends trimmed. Reports the first broken rule. */
export function checkAppName(value: string, report: ReportViolation): string {
  return checkText(value, APP_NAME, report);
}

/** Returns the addresses. Reports the first that an app of this kind cannot have, and their number. */
export function checkRedirectUris(
  values: readonly string[],
  kind: AppKind,
  report: ReportViolation,
): readonly string[] {
  if (kind === 'machine') {
    if (values.length > 0) report('out-of-range', 'must be empty for a machine, which has no browser');
    return [];
  }
  if (values.length === 0) report('required', 'must have at least one address');
  else if (values.length > MAX_REDIRECT_URIS)
    report('out-of-range', `must have at most ${MAX_REDIRECT_URIS} addresses`);
  else if (values.every((value) => checkText(value, REDIRECT_URI, report) !== '') && !values.every(isRedirectUri(kind)))
    report('invalid-format', RULES[kind]);
  return values;
}

const COMMON_RULE = 'addresses must begin with https://, or with http:// on localhost or 127.0.0.1';
const RULES = {
  web: `${COMMON_RULE}, without a fragment`,
  native: `${COMMON_RULE}, or with a scheme of the app that has a dot, such as com.example.app:/, without a fragment`,
};

/** A scheme of an app is a domain name of its maker in reverse (RFC 8252, section 7.1). */
const OWN_SCHEME = /^[a-z][a-z0-9-]*(?:\.[a-z0-9-]+)+:$/;

function isRedirectUri(kind: 'web' | 'native'): (text: string) => boolean {
  return (text) => {
    if (!URL.canParse(text) || text.includes('#')) return false;
    const { protocol, hostname, username, password } = new URL(text);
    if (username !== '' || password !== '') return false;
    if (protocol === 'https:') return true;
    return protocol === 'http:' ? LOOPBACK.includes(hostname) : kind === 'native' && OWN_SCHEME.test(protocol);
  };
}

/** Returns whether an address leads to the device of the person, where any program may listen. */
export function isLoopback(redirectUri: string): boolean {
  return URL.canParse(redirectUri) && LOOPBACK.includes(new URL(redirectUri).hostname);
}

export function noSuchApp(): DomainError {
  return new DomainError('not-found', 'no-such-app', 'there is no app with this id');
}
