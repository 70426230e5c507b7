import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { parseCurrency, type Currency } from '../domain/currency.js';
import { DomainError } from '../domain/errors.js';
import { checkMongoUrl } from './mongo-url.js';

export type Environment = Readonly<Record<string, string | undefined>>;

/** What the operator chose; `docs/operation.md` lists the names. */
export interface Config {
  readonly host: string;
  readonly port: number;
  readonly storage: 'sqlite' | 'mongodb' | 'memory';
  readonly dataDir: string;
  /** Does not show when the configuration is printed: it may hold a password. */
  readonly mongodbUrl: string;
  readonly currency: Currency;
  readonly publicUrl: string;
  readonly keyCacheSeconds: number;
  readonly drainSeconds: number;
  readonly logLevel: LogLevel;
  /** Does not show when the configuration is printed. */
  readonly tls: Tls | undefined;
}

interface Tls {
  readonly cert: Buffer;
  readonly key: Buffer;
}

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Every mistake, by the name of its variable; never a value, which may be a secret. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';

  constructor(readonly mistakes: readonly string[]) {
    super(['The configuration has mistakes:', ...mistakes.map((mistake) => `  ${mistake}`)].join('\n'));
  }
}

/** @throws ConfigError that lists every mistake. */
export function readConfig(environment: Environment = process.env): Config {
  const mistakes: string[] = [];
  const read = <Value>(name: string, byDefault: string, parse: (text: string) => Value): Value => {
    try {
      return parse(environment[name] || byDefault);
    } catch (error) {
      mistakes.push(`${name} ${whyOf(error)}`);
      return undefined as Value;
    }
  };
  const config: Config = {
    host: read('HOST', '127.0.0.1', String),
    port: read('PORT', '3000', integer(0, 65_535)),
    storage: read('STORAGE', 'sqlite', oneOf(['sqlite', 'mongodb', 'memory'])),
    dataDir: read('DATA_DIR', './data', String),
    mongodbUrl: read('MONGODB_URL', '', mongodbUrl) || read('MONGODB_URL_FILE', '', mongodbUrlFile),
    currency: read('CURRENCY', 'USD', parseCurrency),
    publicUrl: read('PUBLIC_URL', '', origin),
    keyCacheSeconds: read('KEY_CACHE_SECONDS', '5', integer(0, 3_600)),
    drainSeconds: read('DRAIN_SECONDS', '2', integer(0, 3_600)),
    logLevel: read('LOG_LEVEL', 'info', oneOf(LOG_LEVELS)),
    tls: tls(read('TLS_CERT', '', pemFile), read('TLS_KEY', '', pemFile), environment, mistakes),
  };
  if (environment['STORAGE'] === 'mongodb' && !environment['MONGODB_URL'] && !environment['MONGODB_URL_FILE'])
    mistakes.push('MONGODB_URL is missing; STORAGE=mongodb needs it, or MONGODB_URL_FILE');
  if (mistakes.length > 0) throw new ConfigError(mistakes);
  return Object.freeze(Object.defineProperties(config, { tls: { enumerable: false }, mongodbUrl: { enumerable: false } }));
}

/** Of a rule of the core the sentence about its field. */
function whyOf(error: unknown): string {
  if (error instanceof DomainError && error.fields[0]) return error.fields[0].detail;
  return error instanceof Error ? error.message : 'is not valid';
}

function integer(lowest: number, highest: number): (text: string) => number {
  return (text) => {
    if (/^[0-9]{1,9}$/.test(text) && Number(text) >= lowest && Number(text) <= highest) return Number(text);
    throw new Error(`must be an integer from ${lowest} to ${highest}`);
  };
}

function oneOf<Choice extends string>(choices: readonly Choice[]): (text: string) => Choice {
  return (text) => {
    const choice = choices.find((candidate) => candidate === text);
    if (choice === undefined) throw new Error(`must be one of ${choices.join(', ')}`);
    return choice;
  };
}

/** A scheme, a host, perhaps a port and a path; without the slash at the end. */
function origin(text: string): string {
  if (text === '') return '';
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.search || url.hash || url.username || url.password)
    throw new Error('must be an http or https URL without query, fragment and credentials, such as https://market.example');
  return url.href.replace(/\/$/, '');
}

function mongodbUrl(text: string): string {
  return text === '' ? '' : checkMongoUrl(text);
}

function mongodbUrlFile(path: string): string {
  return path === '' ? '' : mongodbUrl(readText(path).trim());
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    throw new Error('must name a file that can be read');
  }
}

function pemFile(path: string): Buffer | undefined {
  if (path === '') return undefined;
  try {
    const pem = readFileSync(path);
    if (pem.includes('-----BEGIN ')) return pem;
  } catch {
    throw new Error('must name a PEM file that can be read');
  }
  throw new Error('must name a PEM file; this one has no PEM block');
}

function tls(cert: Buffer | undefined, key: Buffer | undefined, environment: Environment, mistakes: string[]): Tls | undefined {
  if (!environment['TLS_CERT'] !== !environment['TLS_KEY'])
    mistakes.push(`${environment['TLS_CERT'] ? 'TLS_KEY' : 'TLS_CERT'} is missing; TLS needs both TLS_CERT and TLS_KEY`);
  if (cert === undefined || key === undefined) return undefined;
  if (!isPair({ cert, key })) mistakes.push('TLS_CERT and TLS_KEY must be a certificate and its private key, without a passphrase');
  return { cert, key };
}

function isPair(pair: Tls): boolean {
  try {
    createSecureContext(pair);
    return true;
  } catch {
    return false;
  }
}
