import type { RateLimits } from '../../adapters/http/index.js';
import type { AccessTokenOptions } from '../../adapters/oauth/index.js';
import { DEFAULT_BRAND, type Brand } from '../../adapters/http/views/brand.js';
import { parseDeveloperId } from '../../domain/access.js';
import { parseCurrency, type Currency } from '../../domain/currency.js';
import { DomainError } from '../../domain/errors.js';
import {
  audience,
  bearerToken,
  inFile,
  integer,
  issuer,
  keysUrl,
  mongodbUrl,
  oneOf,
  onOrOff,
  origin,
  postgresSchema,
  postgresUrl,
  rate,
  storage,
  type ModulePath,
  type Setting,
} from './settings.js';
import { brandName, readLogo } from './brand.js';
import { readPem, readTls, type TlsFiles } from './tls.js';

export type Environment = Readonly<Record<string, string | undefined>>;

/** How many requests a minute are allowed; `off` for any number. */
export interface ServiceRateLimits extends RateLimits {
  /** Per address, pages of the catalogue, feeds and sitemaps for visitors who are not signed in. */
  readonly pages: number | 'off';
}

const CATALOGUE_CHOICES = ['members', 'public', 'off'] as const;
/** The visitors for whom the catalogue pages are there: those who are signed in to the panel, all, or none. */
export type CatalogueVisibility = (typeof CATALOGUE_CHOICES)[number];

/** The issuer, the audience, and where the keys are if not where the issuer says. */
export type AccessTokens = Pick<AccessTokenOptions, 'issuer' | 'audience' | 'jwksUrl'>;

/** The settings of the service, whether a program or a host runs it. */
export interface ServiceConfig {
  readonly currency: Currency;
  readonly publicUrl: string;
  readonly rateLimits: ServiceRateLimits;
  readonly trustedProxyHops: number;
  /** The issuer whose access tokens are accepted in addition to keys. */
  readonly accessTokens: AccessTokens | undefined;
  readonly keyCacheSeconds: number;
  /** How long an idle connection stays open. */
  readonly keepAliveSeconds: number;
  readonly panel: boolean;
  /** The name of the pages, and their logo. */
  readonly brand: Brand;
  readonly catalogue: CatalogueVisibility;
  /** Whether the store keeps an index of words. */
  readonly search: boolean;
  readonly tls: TlsFiles | undefined;
  /** Hidden when the configuration is printed. */
  readonly metricsToken: string;
}

/** The settings of the operator; `docs/settings.md` lists the names. */
export interface Config extends ServiceConfig {
  readonly host: string;
  readonly port: number;
  readonly storage: 'sqlite' | 'postgresql' | 'mongodb' | 'memory' | ModulePath;
  readonly dataDir: string;
  /** Hidden when the configuration is printed: it may contain a password. */
  readonly postgresUrl: string;
  readonly postgresSchema: string;
  /** Hidden for the same reason. */
  readonly mongodbUrl: string;
  /** The name of the account of a first start. */
  readonly firstOperator: string;
  readonly drainSeconds: number;
  readonly logLevel: LogLevel;
  readonly logFormat: LogFormat;
  /** All variables, for a storage module. Hidden when the configuration is printed. */
  readonly environment: Environment;
}

const SECRET: readonly (keyof Config)[] = ['postgresUrl', 'mongodbUrl', 'metricsToken', 'environment'];

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

const LOG_FORMATS = ['auto', 'json', 'pretty'] as const;
export type LogFormat = (typeof LOG_FORMATS)[number];

/** Lists every mistake by the name of its variable. It contains no value, which may be a secret. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';

  constructor(readonly mistakes: readonly string[]) {
    super(['The configuration has mistakes:', ...mistakes.map((mistake) => `  ${mistake}`)].join('\n'));
  }
}

/** Reads the configuration from the environment. @throws ConfigError that lists every mistake. */
export function readConfig(environment?: Environment): Config {
  const { config, mistakes } = readVariables(environment);
  return validated(config, mistakes);
}

interface Variables {
  /** Values with a mistake are undefined. */
  readonly config: Config;
  readonly mistakes: string[];
  readonly isSet: (name: string) => boolean;
}

/** Returns the values of the variables, and the mistakes in them. */
export function readVariables(environment: Environment = process.env): Variables {
  const mistakes: string[] = [];
  const { isSet, read, secret } = readerOf(environment, mistakes);
  const bothOrNone = (one: string, other: string, need: string): void => {
    if (isSet(one) !== isSet(other))
      mistakes.push(`${isSet(one) ? other : one} is missing; ${need} both ${one} and ${other}`);
  };
  const config: Config = {
    host: read('HOST', '127.0.0.1', String),
    port: read('PORT', '3000', integer(0, 65_535)),
    storage: read('STORAGE', 'sqlite', storage),
    dataDir: read('DATA_DIR', './data', String),
    postgresUrl: secret('POSTGRES_URL', postgresUrl),
    postgresSchema: read('POSTGRES_SCHEMA', 'public', postgresSchema),
    mongodbUrl: secret('MONGODB_URL', mongodbUrl),
    currency: read('CURRENCY', 'USD', parseCurrency),
    publicUrl: read('PUBLIC_URL', '', origin),
    rateLimits: {
      reads: read('RATE_LIMIT_READS', '600', rate),
      creates: read('RATE_LIMIT_CREATES', '60', rate),
      failedAuthentications: read('RATE_LIMIT_FAILED_AUTH', '30', rate),
      pages: read('RATE_LIMIT_PAGES', '300', rate),
    },
    trustedProxyHops: read('TRUSTED_PROXY_HOPS', '0', integer(0, 10)),
    accessTokens: accessTokens(
      read('OAUTH_ISSUER', '', issuer),
      read('OAUTH_AUDIENCE', '', audience),
      read('OAUTH_JWKS_URL', '', keysUrl),
    ),
    keyCacheSeconds: read('KEY_CACHE_SECONDS', '5', integer(0, 3_600)),
    keepAliveSeconds: read('KEEP_ALIVE_SECONDS', '65', integer(1, 3_600)),
    panel: read('PANEL', 'on', onOrOff),
    brand: { name: read('BRAND_NAME', DEFAULT_BRAND.name, brandName), logo: read('BRAND_LOGO', '', readLogo) },
    catalogue: read('CATALOGUE', environment['PANEL'] === 'off' ? 'off' : 'members', oneOf(CATALOGUE_CHOICES)),
    search: read('SEARCH', 'on', onOrOff),
    firstOperator: read('FIRST_OPERATOR', 'operator', parseDeveloperId),
    drainSeconds: read('DRAIN_SECONDS', '2', integer(0, 3_600)),
    logLevel: read('LOG_LEVEL', 'info', oneOf(LOG_LEVELS)),
    logFormat: read('LOG_FORMAT', 'auto', oneOf(LOG_FORMATS)),
    tls: tlsFiles(read('TLS_CERT', '', pemFile), read('TLS_KEY', '', pemFile), mistakes),
    metricsToken: secret('METRICS_TOKEN', bearerToken),
    environment,
  };
  bothOrNone('OAUTH_ISSUER', 'OAUTH_AUDIENCE', 'access tokens need');
  if (isSet('OAUTH_JWKS_URL') && !isSet('OAUTH_ISSUER'))
    mistakes.push('OAUTH_ISSUER is missing; OAUTH_JWKS_URL needs it');
  bothOrNone('TLS_CERT', 'TLS_KEY', 'TLS needs');
  if (environment['PANEL'] === 'off' && environment['CATALOGUE'] === 'members')
    mistakes.push('CATALOGUE must not be members while PANEL is off: members sign in there');
  for (const [name, url] of Object.entries({ postgresql: 'POSTGRES_URL', mongodb: 'MONGODB_URL' }))
    if (environment['STORAGE'] === name && !isSet(url) && !isSet(`${url}_FILE`))
      mistakes.push(`${url} is missing; STORAGE=${name} needs it, or ${url}_FILE`);
  return { config, mistakes, isSet };
}

/**
 * Returns the keys with which a command asks a server; empty where none is set. Arguments can be seen by other users of
 * a machine, variables cannot.
 * @throws ConfigError that lists every mistake.
 */
export function readKeys(environment: Environment = process.env): { readonly key: string; readonly writeKey: string } {
  const mistakes: string[] = [];
  const { secret } = readerOf(environment, mistakes);
  const key = secret('MARKETPLACE_KEY', bearerToken);
  const writeKey = secret('MARKETPLACE_WRITE_KEY', bearerToken);
  if (mistakes.length > 0) throw new ConfigError(mistakes);
  return { key, writeKey };
}

/** Returns functions that read variables, and add the mistakes in them to the list. */
function readerOf(environment: Environment, mistakes: string[]) {
  const isSet = (name: string) => Boolean(environment[name]);
  const read = <Value>(name: string, byDefault: string, setting: Setting<Value>): Value => {
    try {
      return setting(environment[name] || byDefault);
    } catch (error) {
      mistakes.push(`${name} ${reasonOf(error)}`);
      return undefined as Value;
    }
  };
  const secret = (name: string, setting: Setting<string>): string => {
    const [said, inItsFile] = [read(name, '', setting), read(`${name}_FILE`, '', inFile(setting))];
    if (isSet(name) && isSet(`${name}_FILE`)) mistakes.push(`${name}_FILE must not be set together with ${name}`);
    return said || inItsFile;
  };
  return { isSet, read, secret };
}

/** The configuration, unless there are mistakes in it. @throws ConfigError that lists them. */
export function validated(config: Config, mistakes: readonly string[]): Config {
  if (mistakes.length > 0) throw new ConfigError(mistakes);
  for (const name of SECRET) Object.defineProperty(config, name, { enumerable: false });
  return Object.freeze(config);
}

/** Returns why a value is a mistake; of an error of the core, the sentence about the field. */
export function reasonOf(error: unknown): string {
  if (error instanceof DomainError && error.fields[0]) return error.fields[0].detail;
  return error instanceof Error ? error.message : 'is not valid';
}

function accessTokens(issuer: string, audience: string, jwksUrl: string): AccessTokens | undefined {
  return issuer && audience ? { issuer, audience, ...(jwksUrl && { jwksUrl }) } : undefined;
}

/** Checks the files now; they are read again when they are used. */
function tlsFiles(cert: string, key: string, mistakes: string[]): TlsFiles | undefined {
  if (!cert || !key) return undefined;
  const files = { cert, key };
  try {
    readTls(files);
  } catch (error) {
    mistakes.push((error as Error).message);
  }
  return files;
}

/** The path, once something can be read there. */
function pemFile(path: string): string {
  if (path !== '') readPem(path);
  return path;
}
