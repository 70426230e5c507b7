import { COMPUTED_HOST } from '../../domain/file-facts.js';
import { urlOf } from '../../domain/url.js';

const ADDRESS = /(?:https?|wss?):\/\/([^\s/?#\\"'<>`(){}[\]|^,;]{0,300}(?:(?<=[/@])\[[\da-f:.]{2,45}\])?)/gi;
const HOST = /^(?:[\p{L}\d_](?:[\p{L}\p{M}\d_.-]{0,251}[\p{L}\p{M}\d])?|\[.+\])$/u;
/** Of the sentence or the Markdown around an address. */
const BEHIND_HOST = /[^\p{L}\p{M}\d\]]{1,5}$/u;
/** Begins with the character that few texts have. What stands in front of the host of an address is none. */
const EMAIL =
  /@(?<=(?<local>[\w.%+-]{1,64})@)(?<!:\/\/[^\s/@]{1,128}@)(?<domain>(?:[a-z\d-]{1,63}\.){1,5}[a-z]{2,24})(?![\w-])/gi;
/** Of these schemes, one slash or none is read as two. */
const WITH_SCHEME = /^(?:(?:https?|wss?):|[a-z][a-z\d+.-]{1,10}:\/\/)/i;
/** A host that ends within the text. */
const WHOLE_HOST = /^[a-z][a-z\d+.-]{1,10}:\/\/[^/?#\\]{1,300}[/?#\\]/i;
const [MAX_HOST, MAX_EMAIL] = [253, 254];
/** No address that works is longer. */
const MAX_ADDRESS = 8_192;

/** Returns the hosts of the addresses in a text. */
export function hostsIn(text: string): readonly string[] {
  return Array.from(text.matchAll(ADDRESS), ([, authority = '']) => authority)
    .map((authority) => authority.slice(authority.lastIndexOf('@') + 1).replace(BEHIND_HOST, ''))
    .map((host) => host.replace(/:\d{1,5}$/, '').toLowerCase())
    .filter((host) => host.length <= MAX_HOST && HOST.test(host));
}

export function emailsIn(text: string): readonly string[] {
  return Array.from(text.matchAll(EMAIL), ({ groups = {} }) => `${groups['local']}@${groups['domain']}`)
    .filter((email) => email.length <= MAX_EMAIL)
    .map((email) => email.toLowerCase());
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
  const host = urlOf(full)?.hostname ?? '';
  return host === '' || host.length > MAX_HOST ? COMPUTED_HOST : host;
}
