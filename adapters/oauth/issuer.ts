export const ISSUER_RULE =
  'must be an https URL without query, fragment and credentials, such as https://login.example; http only on a loopback address';

const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** Whether a text can be an issuer's identifier (RFC 8414, section 2). It is compared as it is written, and never normalised. */
export function isIssuer(text: string): boolean {
  if (!isConfidential(text) || /[?#\s]/.test(text)) return false;
  const { username, password } = new URL(text);
  return username === '' && password === '';
}

/** Whether nobody on the way can read or change what is fetched from there. */
export function isConfidential(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname } = new URL(text);
  return protocol === 'https:' || (protocol === 'http:' && LOOPBACK.test(hostname));
}
