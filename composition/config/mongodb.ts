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

/**
 * The parts of a connection string that matter here (https://www.mongodb.com/docs/manual/reference/connection-string/).
 */
interface Parts {
  readonly srv: boolean;
  readonly credentials: boolean;
  /** As it is written; empty if there is none. */
  readonly password: string;
  readonly hosts: readonly string[];
  /** As they are written; undefined for a host without one. */
  readonly ports: readonly (string | undefined)[];
  /** Decoded; empty if there is none. */
  readonly database: string;
  /** The value of an option, whose name may be in any case. */
  readonly option: (name: string) => string | undefined;
}

function partsOf(url: string): Parts | undefined {
  const found = /^mongodb(\+srv)?:\/\/(?:([^@/]*)@)?([^\s@/?]+)(?:\/([^?]*))?(?:\?(.*))?$/.exec(url);
  if (found === null) return undefined;
  const [, srv, user = '', hosts = '', database = '', query] = found;
  const options = new Map(Array.from(new URLSearchParams(query), ([name, value]) => [name.toLowerCase(), value]));
  return {
    srv: srv !== undefined,
    password: /:(.*)/.exec(user)?.[1] ?? '',
    credentials: user !== '' || options.has('authmechanism'),
    hosts: hosts.split(',').map((host) => decodeURIComponent(host).replace(PORT, '')),
    ports: hosts.split(',').map((host) => PORT.exec(host)?.[1]),
    database: decodeURIComponent(database),
    option: (name) => options.get(name.toLowerCase()),
  };
}

/** @throws Error that says what is wrong with a connection string, without any of its values. */
export function checkMongoUrl(url: string): string {
  if (decoded(url) === undefined)
    throw new Error('must have % only where bytes of UTF-8 are written with it, such as %40 for @');
  const parts = partsOf(url);
  if (parts === undefined)
    throw new Error('must be a connection string such as mongodb://host1,host2,host3/market?replicaSet=rs0');
  checkHosts(parts);
  if (NOT_IN_DATABASE.test(parts.database) || Buffer.byteLength(parts.database) > MAX_DATABASE_BYTES)
    throw new Error(`must name a database of at most ${MAX_DATABASE_BYTES} bytes, without white space and / \\ . " $`);
  for (const [name, value] of Object.entries(FIRM_OPTIONS))
    if ((parts.option(name) ?? value) !== value)
      throw new Error(`must leave ${name} at ${value}, or what was acknowledged could be lost or not be seen`);
  for (const name of Object.keys(LIMITS))
    if (Number(parts.option(name) ?? 1) === 0) throw new Error(`must not set ${name} to 0, which is no limit at all`);
  for (const name of FILES) checkFile(name, parts.option(name));
  return url;
}

function checkHosts({ srv, hosts, ports }: Parts): void {
  if (srv && (hosts.length > 1 || ports[0] !== undefined))
    throw new Error('must have one host without a port after mongodb+srv://');
  if (hosts.includes('')) throw new Error('must have a host before and behind each comma');
  if (ports.some((port) => port !== undefined && !isPort(port))) throw new Error('must have ports from 1 to 65535');
}

function isPort(text: string): boolean {
  return /^[0-9]{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= 65_535;
}

function checkFile(option: string, path = ''): void {
  try {
    if (path !== '') readPem(path);
  } catch (error) {
    throw new Error(`must have a ${option} that names a PEM file that can be read`, { cause: error });
  }
}

/** Returns the database of the connection string, or the default. */
export function databaseIn(url: string): string {
  return partsOf(url)?.database || DEFAULT_DATABASE;
}

/** Returns the password as it is written and decoded, for redaction. */
export function passwordsIn(url: string): readonly string[] {
  const password = partsOf(url)?.password ?? '';
  return [password, decoded(password) ?? ''];
}

/**
 * What is to be warned of: credentials or TLS that are missing on the way to another machine. Undefined when all is
 * well.
 */
export function exposureOf(url: string): string | undefined {
  const parts = partsOf(url);
  if (parts === undefined || (!parts.srv && parts.hosts.every((host) => LOOPBACK.test(host)))) return undefined;
  const missing = [
    ...(isEncrypted(parts) ? [] : ['TLS that verifies the server']),
    ...(parts.credentials ? [] : ['credentials']),
  ];
  if (missing.length === 0) return undefined;
  const without = missing.join(' and without ');
  return (
    `MONGODB_URL, or the content of MONGODB_URL_FILE, leads to another machine without ${without}: ` +
    'others on the network may read and change what is stored'
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

function isEncrypted({ srv, option }: Parts): boolean {
  const tls = option('tls') ?? option('ssl') ?? String(srv);
  return tls === 'true' && !UNVERIFIED.some((name) => option(name) === 'true');
}
