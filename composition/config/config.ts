import type { Currency } from '../../domain/currency.js';
import { misspelt, readSettings, type Environment } from './environment.js';
import type { ServiceConfig, Values } from './service-settings.js';
import { readTls, type TlsFiles } from './files.js';
import { signInMistakes, signInOf } from './sign-in.js';
import { CLIENT_SETTINGS, SETTINGS } from './settings.js';

export type { Environment } from './environment.js';

type Given = Values<typeof SETTINGS>;

/** The settings of the operator by their names. */
export interface Config extends ServiceConfig, Omit<Given, 'CURRENCY'> {
  /** The currency that was given. Without one, that of the store counts. */
  readonly CURRENCY: Currency | undefined;
  /** Sentences about variables that are probably mistakes. */
  readonly warnings: readonly string[];
  /** All variables, for a storage module. */
  readonly environment: Environment;
}

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
  const { OAUTH_ISSUER: issuer, OAUTH_AUDIENCE: audience, OAUTH_SUBJECT: subject } = values;
  const jwksUrl = values.OAUTH_JWKS_URL;
  const config: Config = {
    ...values,
    CURRENCY: isSet(environment, 'CURRENCY') ? values.CURRENCY : undefined,
    CATALOGUE: values.PANEL || isSet(environment, 'CATALOGUE') ? values.CATALOGUE : 'off',
    OAUTH_SERVER: values.OAUTH_SERVER && values.PANEL,
    accessTokens: issuer && audience ? { issuer, audience, subject, ...(jwksUrl && { jwksUrl }) } : undefined,
    signIn: signInOf(values),
    tls: tlsFiles(values.TLS_CERT, values.TLS_KEY, mistakes),
    warnings: [
      ...misspelt(environment),
      ...unusedStores(environment, values.STORAGE),
      ...(environment['OAUTH_SERVER'] === 'on' && environment['PANEL'] === 'off'
        ? ['OAUTH_SERVER is not used, since PANEL is off: no developer could consent']
        : []),
    ],
    environment,
  };
  return { config, mistakes };
}

/** The settings of one storage alone, the address of its database first. */
const OF_STORAGES = [
  ['postgresql', ['POSTGRES_URL', 'POSTGRES_URL_FILE', 'POSTGRES_SCHEMA']],
  ['mongodb', ['MONGODB_URL', 'MONGODB_URL_FILE']],
] as const;

/** Returns a sentence for each setting of a database that is given, though another storage is used. */
function unusedStores(environment: Environment, storage: string | undefined): readonly string[] {
  if (storage === undefined) return [];
  return OF_STORAGES.filter(([name]) => name !== storage).flatMap(([name, settings]) =>
    settings
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
    ...['OAUTH_JWKS_URL', 'OAUTH_SUBJECT'].flatMap((name) =>
      has(name) && !has('OAUTH_ISSUER') ? [`OAUTH_ISSUER is missing; ${name} needs it`] : [],
    ),
    ...bothOrNone('TLS_CERT', 'TLS_KEY', 'TLS needs'),
    ...(environment['PANEL'] === 'off' && environment['CATALOGUE'] === 'members'
      ? ['CATALOGUE must not be members while PANEL is off: members sign in there']
      : []),
    ...signInMistakes(environment),
    ...OF_STORAGES.flatMap(([name, [url]]) => storageNeeds(name, url)),
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

/** Returns the configuration, which shows no secret when it is printed. @throws ConfigError that lists the mistakes. */
export function validated(config: Config, mistakes: readonly string[]): Config {
  if (mistakes.length > 0) throw new ConfigError([...mistakes, ...config.warnings]);
  const secrets = Object.entries(SETTINGS).flatMap(([name, setting]) => ('secret' in setting ? [name] : []));
  for (const name of [...secrets, 'environment']) Object.defineProperty(config, name, { enumerable: false });
  return Object.freeze(config);
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
