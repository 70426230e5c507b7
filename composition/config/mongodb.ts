import { createRequire } from 'node:module';
import type { ConnectionString } from 'mongodb-connection-string-url';
import { FIRM_OPTIONS, LIMITS } from '../../adapters/mongodb/connection-options.js';
import { checkPem } from './files.js';
import { refuseAmbiguous } from './parsers.js';

const DEFAULT_DATABASE = 'automation-marketplace';
const FILES = ['tlsCAFile', 'tlsCertificateKeyFile', 'tlsCRLFile'];

export const MONGO_URL_RULE =
  'must be a connection string such as mongodb://host1,host2,host3/market?replicaSet=rs0, or one with one host and ' +
  'no port after mongodb+srv://, with %40 for @ in a password';

const require = createRequire(import.meta.url);

/** Parses as the driver does. It takes longer to load than the whole configuration, and so only where it is used. */
function parse(url: string): ConnectionString {
  const parser = require('mongodb-connection-string-url') as typeof import('mongodb-connection-string-url');
  return new parser.ConnectionString(url);
}

/**
 * Checks what the driver takes and we do not; what it refuses itself is checked where it is loaded.
 * @throws Error that says what is wrong with a connection string, without any of its values.
 */
export function checkMongoUrl(url: string): string {
  const { searchParams } = parsed(url);
  for (const [name, value] of Object.entries(FIRM_OPTIONS))
    if ((searchParams.get(name) ?? value) !== value)
      throw new Error(`must leave ${name} at ${value}, or what was acknowledged could be lost or not be seen`);
  for (const name of Object.keys(LIMITS))
    if (Number(searchParams.get(name) ?? 1) === 0)
      throw new Error(`must not set ${name} to 0, which is no limit at all`);
  for (const name of FILES) checkPem(name, searchParams.get(name));
  return url;
}

function parsed(url: string): ConnectionString {
  refuseAmbiguous(url);
  try {
    return parse(url);
  } catch {
    throw new Error(MONGO_URL_RULE);
  }
}

/** Returns the database of the connection string, or the default. */
export function databaseIn(url: string): string {
  return decodeURIComponent(parse(url).pathname.slice(1)) || DEFAULT_DATABASE;
}

/** Returns the password as it is written and decoded, for redaction. */
export function passwordsIn(url: string): readonly string[] {
  const password = url === '' ? '' : parse(url).password;
  return [password, decodeURIComponent(password)];
}
