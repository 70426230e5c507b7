import { checkPem } from './files.js';
import { refuseAmbiguous } from './parsers.js';

/** How the driver encrypts (https://node-postgres.com/features/ssl). It takes the second three for `verify-full`. */
const SSL_MODES = ['disable', 'no-verify', 'prefer', 'require', 'verify-ca', 'verify-full'];
const ALIASES = /^(prefer|require|verify-ca)$/;
const FILES = ['sslrootcert', 'sslcert', 'sslkey'];

/** @throws Error that says what is wrong with a connection string, without any of its values. */
export function checkPostgresUrl(url: string): string {
  const { hostname, port, searchParams } = parsed(url);
  if (hostname.includes(',')) throw new Error('must name one host: the driver takes no list');
  if (port === '0') throw new Error('must have a port from 1 to 65535');
  const mode = searchParams.get('sslmode');
  if (mode !== null && !SSL_MODES.includes(mode))
    throw new Error(`must have one of these as sslmode: ${SSL_MODES.join(', ')}`);
  for (const name of FILES) checkPem(name, searchParams.get(name));
  return url;
}

function parsed(url: string): URL {
  refuseAmbiguous(url);
  try {
    decodeURIComponent(url);
    if (/^postgres(ql)?:\/\/(?!$)/.test(url) && !/\s/.test(url)) return new URL(url);
  } catch {
    // Its message has the value.
  }
  throw new Error(
    'must be a connection string such as postgres://user:password@host/market, with %40 for @ in a password',
  );
}

/**
 * Returns the connection string as the driver gets it. Three modes are written as what the driver 8 makes of them: a
 * later one would verify less, and it warns of that.
 */
export function forDriver(url: string): string {
  const address = new URL(url);
  const { searchParams } = address;
  if (searchParams.has('uselibpqcompat') || !ALIASES.test(searchParams.get('sslmode') ?? '')) return url;
  searchParams.set('sslmode', 'verify-full');
  return address.href;
}

/** Returns the passwords as they are written and decoded, for redaction. */
export function passwordsInPostgres(url: string): readonly string[] {
  if (url === '') return [];
  const { password, searchParams } = new URL(url);
  return [password, decodeURIComponent(password), searchParams.get('password') ?? ''];
}
