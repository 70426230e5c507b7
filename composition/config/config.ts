import type { RateLimits } from '../../adapters/http/index.js';
import type { AccessTokenOptions } from '../../adapters/oauth/index.js';
import type { Brand } from '../../adapters/http/views/brand.js';
import type { Currency } from '../../domain/currency.js';
import { misspelt, readSettings, type Environment } from './environment.js';
import type { ModulePath } from './parsers.js';
import { CATALOGUE_CHOICES, CLIENT_SETTINGS, LOG_FORMATS, LOG_LEVELS, SETTINGS } from './settings.js';
import { readTls, type TlsFiles } from './tls.js';

export type { Environment } from './environment.js';

/** How many requests a minute are allowed; `off` for any number. */
export interface ServiceRateLimits extends RateLimits {
  /** Per address, pages of the catalogue, feeds and sitemaps for visitors who are not signed in. */
  readonly pages: number | 'off';
}

/** The visitors for whom the catalogue pages are there: those who are signed in to the panel, all, or none. */
export type CatalogueVisibility = (typeof CATALOGUE_CHOICES)[number];
/** The issuer, the audience, and where the keys are if not where the issuer says. */
export type AccessTokens = Pick<AccessTokenOptions, 'issuer' | 'audience' | 'jwksUrl'>;
export type LogLevel = (typeof LOG_LEVELS)[number];
export type LogFormat = (typeof LOG_FORMATS)[number];

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

/** The settings of the operator. */
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
  /** Whether the currency was given; else that of the store counts, and this one for a new store. */
  readonly isCurrencyGiven: boolean;
  /** The name of the account of a first start. */
  readonly firstOperator: string;
  readonly drainSeconds: number;
  readonly logLevel: LogLevel;
  readonly logFormat: LogFormat;
  /** Sentences about variables that are probably misspelt settings. */
  readonly warnings: readonly string[];
  /** All variables, for a storage module. Hidden when the configuration is printed. */
  readonly environment: Environment;
}

const SECRET: readonly (keyof Config)[] = ['postgresUrl', 'mongodbUrl', 'metricsToken', 'environment'];

/** Lists every mistake by the name of its setting. It contains no secret. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';

  constructor(readonly mistakes: readonly string[]) {
    super(['The settings have errors:', ...mistakes.map((mistake) => `  ${mistake}`)].join('\n'));
  }
}

/** Reads the configuration from the environment. @throws ConfigError that lists every mistake. */
export function readConfig(environment: Environment): Config {
  const { config, mistakes } = readVariables(environment);
  return validated(config, mistakes);
}

/** Returns the configuration, in which values with a mistake are undefined, and the mistakes. */
export function readVariables(environment: Environment): { readonly config: Config; readonly mistakes: string[] } {
  const { values, mistakes } = readSettings(SETTINGS, environment);
  mistakes.push(...contradictions(environment));
  const config: Config = {
    host: values.HOST,
    port: values.PORT,
    storage: values.STORAGE,
    dataDir: values.DATA_DIR,
    postgresUrl: values.POSTGRES_URL,
    postgresSchema: values.POSTGRES_SCHEMA,
    mongodbUrl: values.MONGODB_URL,
    currency: values.CURRENCY,
    isCurrencyGiven: isSet(environment, 'CURRENCY'),
    publicUrl: values.PUBLIC_URL,
    rateLimits: {
      reads: values.RATE_LIMIT_READS,
      creates: values.RATE_LIMIT_CREATES,
      failedAuthentications: values.RATE_LIMIT_FAILED_AUTH,
      pages: values.RATE_LIMIT_PAGES,
    },
    trustedProxyHops: values.TRUSTED_PROXY_HOPS,
    accessTokens: accessTokens(values.OAUTH_ISSUER, values.OAUTH_AUDIENCE, values.OAUTH_JWKS_URL),
    keyCacheSeconds: values.KEY_CACHE_SECONDS,
    keepAliveSeconds: values.KEEP_ALIVE_SECONDS,
    panel: values.PANEL,
    brand: { name: values.BRAND_NAME, logo: values.BRAND_LOGO },
    catalogue: values.PANEL || isSet(environment, 'CATALOGUE') ? values.CATALOGUE : 'off',
    search: values.SEARCH,
    firstOperator: values.FIRST_OPERATOR,
    drainSeconds: values.DRAIN_SECONDS,
    logLevel: values.LOG_LEVEL,
    logFormat: values.LOG_FORMAT,
    tls: tlsFiles(values.TLS_CERT, values.TLS_KEY, mistakes),
    metricsToken: values.METRICS_TOKEN,
    warnings: [...misspelt(environment), ...unusedStores(environment, values.STORAGE)],
    environment,
  };
  return { config, mistakes };
}

/** The settings with the addresses of databases, by their storages. */
const ADDRESSES = Object.entries({ postgresql: 'POSTGRES_URL', mongodb: 'MONGODB_URL' });

/** Returns a sentence for the address of each database that is given, though another storage is used. */
function unusedStores(environment: Environment, storage: string | undefined): readonly string[] {
  if (storage === undefined) return [];
  return ADDRESSES.filter(([name]) => name !== storage).flatMap(([name, url]) =>
    [url, `${url}_FILE`]
      .filter((given) => isSet(environment, given))
      .map((given) => `${given} is not used, since STORAGE is ${storage}; set STORAGE=${name} to use it`),
  );
}

/** Tells whether a setting is given. An empty text is none. */
export function isSet(environment: Environment, name: string): boolean {
  return Boolean(environment[name]);
}

/** Returns the mistakes of settings that are each right, but not together. */
function contradictions(environment: Environment): readonly string[] {
  const has = (name: string) => isSet(environment, name);
  const bothOrNone = (one: string, other: string, need: string) =>
    has(one) === has(other) ? [] : [`${has(one) ? other : one} is missing; ${need} both ${one} and ${other}`];
  const storageNeeds = (name: string, url: string) =>
    environment['STORAGE'] !== name || has(url) || has(`${url}_FILE`)
      ? []
      : [`${url} is missing; STORAGE=${name} needs it, or ${url}_FILE`];
  return [
    ...bothOrNone('OAUTH_ISSUER', 'OAUTH_AUDIENCE', 'access tokens need'),
    ...(has('OAUTH_JWKS_URL') && !has('OAUTH_ISSUER') ? ['OAUTH_ISSUER is missing; OAUTH_JWKS_URL needs it'] : []),
    ...bothOrNone('TLS_CERT', 'TLS_KEY', 'TLS needs'),
    ...(environment['PANEL'] === 'off' && environment['CATALOGUE'] === 'members'
      ? ['CATALOGUE must not be members while PANEL is off: members sign in there']
      : []),
    ...ADDRESSES.flatMap(([name, url]) => storageNeeds(name, url)),
  ];
}

/**
 * Returns the keys with which a command asks a server; empty where none is set. Arguments can be seen by other users of
 * a machine, variables cannot. @throws ConfigError that lists every mistake.
 */
export function readKeys(environment: Environment): { readonly key: string; readonly writeKey: string } {
  const { values, mistakes } = readSettings(CLIENT_SETTINGS, environment);
  if (mistakes.length > 0) throw new ConfigError(mistakes);
  return { key: values.MARKETPLACE_KEY, writeKey: values.MARKETPLACE_WRITE_KEY };
}

/** The configuration, unless there are mistakes in it. @throws ConfigError that lists them. */
export function validated(config: Config, mistakes: readonly string[]): Config {
  if (mistakes.length > 0) throw new ConfigError([...mistakes, ...config.warnings]);
  for (const name of SECRET) Object.defineProperty(config, name, { enumerable: false });
  return Object.freeze(config);
}

/** Returns the configuration with another currency: that of the store. */
export function inCurrency(config: Config, currency: Currency): Config {
  const members = Object.getOwnPropertyDescriptors(config);
  return Object.freeze(
    Object.create(Object.prototype, { ...members, currency: { value: currency, enumerable: true } }) as Config,
  );
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
