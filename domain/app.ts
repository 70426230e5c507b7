import type { DeveloperId } from './access.js';
import { DomainError, type ReportViolation } from './errors.js';
import { hasWordOfHouse, RESERVED_NAMES } from './public-name.js';
import type { Scope } from './scope.js';
import { checkText, type TextRule } from './text.js';

/** A UUID, in lower case (RFC 9562): the `client_id` of an app; no secret. */
export type AppId = string & { readonly __brand: 'AppId' };

/** The `client_id` of an agent, which is not registered: the https address of its metadata document. */
export type AgentAddress = string & { readonly __brand: 'AgentAddress' };
/** The characters of the longest `client_id` that the store can have. */
export const MAX_CLIENT_ID_LENGTH = 500;

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

const NAME_OF_HOUSE =
  `must not have the name of the marketplace in it, or one of the words ${RESERVED_NAMES.join(', ')}: people would ` +
  'take the app for the marketplace itself';

/** Returns the name with its ends trimmed. Reports the first broken rule, or that it has words of the marketplace. */
export function checkAppName(value: string, report: ReportViolation, brandName?: string): string {
  const name = checkText(value, APP_NAME, report);
  if (name !== '' && hasWordOfHouse(name, brandName)) report('taken', NAME_OF_HOUSE);
  return name;
}

/** Returns the addresses with trimmed ends. Reports those that an app of this kind cannot have, and their number. */
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
  else return values.map((value) => checkRedirectUri(value, kind, report));
  return [];
}

const COMMON_RULE = 'must begin with https://, or with http:// on localhost, 127.0.0.1 or [::1]';
const RULES = {
  web: COMMON_RULE,
  native: `${COMMON_RULE}, which have no https, or with a scheme of the app that has a dot, such as com.example.app:/`,
};

function checkRedirectUri(value: string, kind: 'web' | 'native', report: ReportViolation): string {
  const text = checkText(value, REDIRECT_URI, report);
  if (text !== '' && !isRedirectUri(text, kind))
    report('invalid-format', `${RULES[kind]}, and have no fragment, user or space; not ${text}`);
  return text;
}

/** No other character stands in an address (RFC 3986, section 2). Browsers would read a backslash as a slash. */
const ADDRESS = /^[\x21-\x5B\x5D-\x7E]*$/;

/** A scheme of an app is a domain name of its maker in reverse (RFC 8252, section 7.1). */
const OWN_SCHEME = /^[a-z][a-z0-9-]*(?:\.[a-z0-9-]+)+:$/;

/** Returns whether browsers can be led back to an address after an app of this kind has asked. */
export function isRedirectUri(text: string, kind: 'web' | 'native'): boolean {
  if (!ADDRESS.test(text) || !URL.canParse(text) || text.includes('#')) return false;
  const { protocol, hostname, username, password } = new URL(text);
  if (username !== '' || password !== '') return false;
  if (text.startsWith('https://')) return kind === 'web' || !isLoopback(text);
  if (text.startsWith('http://')) return LOOPBACK.includes(hostname);
  return kind === 'native' && OWN_SCHEME.test(protocol) && text.startsWith(protocol);
}

/** Returns the text as the address of an agent; undefined when it is none. */
export function agentAddress(text: string): AgentAddress | undefined {
  const isOne = /^https:\/\//i.test(text) && text.length <= MAX_CLIENT_ID_LENGTH && ADDRESS.test(text);
  return isOne && URL.canParse(text) ? (text as AgentAddress) : undefined;
}

/** The names and addresses by which a device reaches itself (RFC 6761, section 6.3; RFC 1122, section 3.2.1.3). */
const OWN_HOST = /^(?:(?:.+\.)?localhost\.?|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** Returns whether an address leads to the device of the person, where any program may listen. */
export function isLoopback(redirectUri: string): boolean {
  return URL.canParse(redirectUri) && OWN_HOST.test(new URL(redirectUri).hostname);
}

export function noSuchApp(): DomainError {
  return new DomainError('not-found', 'no-such-app', 'there is no app with this id');
}
