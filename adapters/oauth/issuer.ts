import { isIdentityText } from '../../domain/identity.js';
import { urlOf } from '../../domain/url.js';

export const ISSUER_RULE =
  'must be an https URL of at most 255 characters, without query, fragment and credentials, such as ' +
  'https://login.example; http is allowed only on a loopback address';

export const KEYS_RULE =
  'must be an https URL, such as https://login.example/keys; http is allowed only on a loopback address';

const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** Tells whether a text can be an issuer (RFC 8414, section 2). Issuers are compared as they are written. */
export function isIssuer(text: string): boolean {
  if (!isConfidential(text) || /[?#\s]/.test(text) || !isIdentityText(text)) return false;
  const { username, password } = new URL(text);
  return username === '' && password === '';
}

/** Tells whether what is fetched from a URL is protected on its way: over https, or within this machine. */
export function isConfidential(text: string): boolean {
  const { protocol, hostname = '' } = urlOf(text) ?? {};
  return protocol === 'https:' || (protocol === 'http:' && LOOPBACK.test(hostname));
}
