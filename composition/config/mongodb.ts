import { createRequire } from 'node:module';
import type { ConnectionString } from 'mongodb-connection-string-url';
import { FIRM_OPTIONS, LIMITS } from '../../adapters/mongodb/connection-options.js';
import { readPem } from './tls.js';

const DEFAULT_DATABASE = 'automation-marketplace';
const UNVERIFIED = ['tlsInsecure', 'tlsAllowInvalidCertificates', 'tlsAllowInvalidHostnames'];
const PORT = /:([^:\]]*)$/;
/** The server's rule (https://www.mongodb.com/docs/manual/reference/limits/#naming-restrictions). */
const NOT_IN_DATABASE = /[\s/\\."$\0]/;
const MAX_DATABASE_BYTES = 63;
const FILES = ['tlsCAFile', 'tlsCertificateKeyFile', 'tlsCRLFile'];
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\]|.*\.sock)$/i;

const require = createRequire(import.meta.url);

/** Parses as the driver does. It takes longer to load than the whole configuration, and so only where it is used. */
function parse(url: string): ConnectionString {
  const parser = require('mongodb-connection-string-url') as typeof import('mongodb-connection-string-url');
  return new parser.ConnectionString(url);
}

/** Returns undefined for what is no connection string. */
function parsed(url: string): ConnectionString | undefined {
  try {
    return parse(url);
  } catch {
    return undefined;
  }
}

/** @throws Error that says what is wrong with a connection string, without any of its values. */
export function checkMongoUrl(url: string): string {
  if (decoded(url) === undefined)
    throw new Error('must have % only where bytes of UTF-8 are written with it, such as %40 for @');
  const parts = parsed(url);
  if (parts === undefined)
    throw new Error(
      'must be a connection string such as mongodb://host1,host2,host3/market?replicaSet=rs0, or one with one host ' +
        'and no port after mongodb+srv://',
    );
  if (parts.hosts.some((host) => host.replace(PORT, '') === ''))
    throw new Error('must have a host before and behind each comma');
  if (!parts.hosts.every(hasGoodPort)) throw new Error('must have ports from 1 to 65535');
  const database = databaseOf(parts);
  if (NOT_IN_DATABASE.test(database) || Buffer.byteLength(database) > MAX_DATABASE_BYTES)
    throw new Error(`must name a database of at most ${MAX_DATABASE_BYTES} bytes, without white space and / \\ . " $`);
  checkOptions(parts);
  return url;
}

function checkOptions({ searchParams }: ConnectionString): void {
  for (const [name, value] of Object.entries(FIRM_OPTIONS))
    if ((searchParams.get(name) ?? value) !== value)
      throw new Error(`must leave ${name} at ${value}, or what was acknowledged could be lost or not be seen`);
  for (const name of Object.keys(LIMITS))
    if (Number(searchParams.get(name) ?? 1) === 0)
      throw new Error(`must not set ${name} to 0, which is no limit at all`);
  for (const name of FILES) checkFile(name, searchParams.get(name) ?? '');
}

function hasGoodPort(host: string): boolean {
  const port = PORT.exec(host)?.[1];
  return port === undefined || (/^[0-9]{1,5}$/.test(port) && Number(port) >= 1 && Number(port) <= 65_535);
}

function checkFile(option: string, path: string): void {
  try {
    if (path !== '') readPem(path);
  } catch (error) {
    throw new Error(`must have a ${option} that names a PEM file that can be read`, { cause: error });
  }
}

/** Returns the database that is named, decoded; empty when none is. */
function databaseOf({ pathname }: ConnectionString): string {
  return decodeURIComponent(pathname.slice(1));
}

/** Returns the database of the connection string, or the default. */
export function databaseIn(url: string): string {
  return databaseOf(parse(url)) || DEFAULT_DATABASE;
}

/** Returns the password as it is written and decoded, for redaction. */
export function passwordsIn(url: string): readonly string[] {
  const password = (url && parsed(url)?.password) || '';
  return [password, decoded(password) ?? ''];
}

/**
 * What is to be warned of: credentials or TLS that are missing on the way to another machine. Undefined when all is
 * well.
 */
export function exposureOf(url: string): string | undefined {
  const { hosts, isSRV, password, username, searchParams } = parse(url);
  const isNear = hosts.every((host) => LOOPBACK.test(decodeURIComponent(host).replace(PORT, '')));
  if (!isSRV && isNear) return undefined;
  const tls = searchParams.get('tls') ?? searchParams.get('ssl') ?? String(isSRV);
  const isVerified = tls === 'true' && !UNVERIFIED.some((name) => searchParams.get(name) === 'true');
  const hasCredentials = username !== '' || password !== '' || searchParams.has('authMechanism');
  const missing = [...(isVerified ? [] : ['TLS that verifies the server']), ...(hasCredentials ? [] : ['credentials'])];
  if (missing.length === 0) return undefined;
  return (
    'MONGODB_URL, or the content of MONGODB_URL_FILE, leads to another machine without ' +
    `${missing.join(' and without ')}: others on the network may read and change what is stored`
  );
}

/** Returns undefined when the escapes are not UTF-8. */
function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
