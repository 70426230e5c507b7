import { COMPUTED_HOST } from '../../domain/file-facts.js';

const ADDRESS = /(?:https?|wss?):\/\/([^\s/?#\\"'<>`(){}[\]|^,;]{1,300})/gi;
const HOST = /^[\p{L}\d](?:[\p{L}\d.-]{0,251}[\p{L}\d])?$/u;
/** Begins with the character that few texts have. */
const EMAIL = /@(?<=(?<local>[\w.%+-]{1,64})@)(?<domain>(?:[a-z\d-]{1,63}\.){1,5}[a-z]{2,24})(?![\w-])/gi;
const WITH_SCHEME = /^[a-z][a-z\d+.-]{1,10}:\/\//i;
/** A host that ends within the text. */
const WHOLE_HOST = /^[a-z][a-z\d+.-]{1,10}:\/\/[^/?#\\]{1,300}[/?#\\]/i;
const MAX_HOST = 253;
/** No address that works is longer. */
const MAX_ADDRESS = 8_192;

/** Returns the hosts of the addresses in a text. */
export function hostsIn(text: string): readonly string[] {
  return Array.from(text.matchAll(ADDRESS), ([, authority = '']) => authority)
    .map((authority) => authority.slice(authority.lastIndexOf('@') + 1).replace(/:\d{0,5}$/, ''))
    .filter((host) => HOST.test(host))
    .map((host) => host.toLowerCase());
}

export function emailsIn(text: string): readonly string[] {
  return Array.from(text.matchAll(EMAIL), ({ groups = {} }) => `${groups['local']}@${groups['domain']}`.toLowerCase());
}

/**
 * Returns the host that is called at an address; undefined without one. What an expression has in `{{ }}` is known at
 * run time only: a host is known when it ends before that.
 */
export function hostOf(address: string): string | undefined {
  const isExpression = address.startsWith('=');
  const text = address.slice(isExpression ? 1 : 0, MAX_ADDRESS).trim();
  if (text === '' || /^\/(?!\/)/.test(text)) return undefined;
  const computed = isExpression ? text.indexOf('{{') : -1;
  const known = computed === -1 ? text : text.slice(0, computed);
  const full = WITH_SCHEME.test(known) ? known : `https://${known}`;
  if (computed !== -1 && !WHOLE_HOST.test(full)) return COMPUTED_HOST;
  const host = URL.canParse(full) ? new URL(full).hostname : '';
  return host === '' || host.length > MAX_HOST ? COMPUTED_HOST : host;
}
