import { DEFAULT_BRAND } from '../../adapters/http/views/brand.js';
import { parseDeveloperId } from '../../domain/access.js';
import { DEFAULT_CURRENCY, parseCurrency } from '../../domain/currency.js';
import { readLogo } from './files.js';
import { checkMongoUrl } from './mongodb.js';
import {
  audience,
  bearerToken,
  brandName,
  integer,
  issuer,
  keysUrl,
  networks,
  oneOf,
  onOrOff,
  origin,
  pemFile,
  postgresSchema,
  rate,
  storage,
  type Parser,
} from './parsers.js';
import { checkPostgresUrl } from './postgresql.js';

/** A setting of the operator: a variable of the environment, a line of `.env`, or a flag of `serve`. */
export interface Setting<Value = unknown> {
  /** The text that is parsed if the setting is not given; if it is empty, the value is, too. */
  readonly default: string;
  /** A few words for `serve --help`. */
  readonly meaning: string;
  readonly parse: Parser<Value>;
  /** Never printed. May also stand in the file that the setting with `_FILE` at its end names. */
  readonly secret?: true;
  /** The placeholder of the value, for a setting that is also a flag. */
  readonly flag?: string;
}

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/** The settings of the service and of the commands. `docs/` has a table of the same names and defaults. */
export const SETTINGS = {
  HOST: { flag: 'ADDRESS', default: '127.0.0.1', meaning: 'the address to listen on', parse: String },
  PORT: {
    flag: 'NUMBER',
    default: '3000',
    meaning: 'the port to listen on; 0 takes a free one',
    parse: integer(0, 65_535),
  },
  STORAGE: {
    default: 'sqlite',
    meaning: 'sqlite, postgresql, mongodb, memory, or the path of a module',
    parse: storage,
  },
  DATA_DIR: { flag: 'FOLDER', default: './data', meaning: 'the folder of the SQLite store', parse: String },
  POSTGRES_URL: {
    secret: true,
    default: '',
    meaning: 'the connection string, with STORAGE=postgresql',
    parse: checkPostgresUrl,
  },
  POSTGRES_SCHEMA: { default: 'public', meaning: 'the schema of the tables', parse: postgresSchema },
  MONGODB_URL: {
    secret: true,
    default: '',
    meaning: 'the connection string, with STORAGE=mongodb',
    parse: checkMongoUrl,
  },
  CURRENCY: { default: DEFAULT_CURRENCY, meaning: 'the ISO 4217 currency of a new store', parse: parseCurrency },
  PUBLIC_URL: { flag: 'URL', default: '', meaning: 'where people reach the service, for links', parse: origin },
  RATE_LIMIT_READS: { default: '600', meaning: 'reads a minute of a developer, or off', parse: rate },
  RATE_LIMIT_CREATES: { default: '60', meaning: 'creates a minute of a developer, or off', parse: rate },
  RATE_LIMIT_FAILED_AUTH: {
    default: '30',
    meaning: 'failed authentications a minute of an address, or off',
    parse: rate,
  },
  RATE_LIMIT_PAGES: { default: '300', meaning: 'pages a minute of a visitor, or off', parse: rate },
  SHARED_NETWORKS: {
    default: '',
    meaning: 'CIDR blocks of offices, with commas: limits per address are ten times as high',
    parse: networks,
  },
  KEY_CACHE_SECONDS: {
    default: '5',
    meaning: 'how long another process may accept a revoked key',
    parse: integer(0, 3_600),
  },
  KEEP_ALIVE_SECONDS: {
    default: '65',
    meaning: 'how long an idle connection stays open',
    parse: integer(1, 3_600),
  },
  TRUSTED_PROXY_HOPS: { default: '0', meaning: 'how many reverse proxies to trust', parse: integer(0, 10) },
  TLS_CERT: { default: '', meaning: 'a PEM file with the certificate, for HTTPS', parse: pemFile },
  TLS_KEY: { default: '', meaning: 'a PEM file with its private key', parse: pemFile },
  OAUTH_ISSUER: { default: '', meaning: 'the issuer whose access tokens are accepted', parse: issuer },
  OAUTH_JWKS_URL: { default: '', meaning: "where the issuer's keys are, if not where it says", parse: keysUrl },
  OAUTH_AUDIENCE: { default: '', meaning: 'the audience of these tokens', parse: audience },
  OAUTH_SERVER: {
    default: 'on',
    meaning: 'off removes the authorization server at /oauth, and so does PANEL=off',
    parse: onOrOff,
  },
  SEARCH: { default: 'on', meaning: 'off keeps no index of words', parse: onOrOff },
  BRAND_NAME: { default: DEFAULT_BRAND.name, meaning: 'the name of the pages', parse: brandName },
  BRAND_LOGO: { default: '', meaning: 'an SVG or PNG file with their logo', parse: readLogo },
  PANEL: { default: 'on', meaning: 'off removes the panel', parse: onOrOff },
  CATALOGUE: {
    default: 'members',
    meaning: 'who sees the catalogue: members, public or off; off by default with PANEL=off',
    parse: oneOf(['members', 'public', 'off']),
  },
  MCP: { default: 'on', meaning: 'off removes the tools for agents at /mcp', parse: onOrOff },
  METRICS_TOKEN: { secret: true, default: '', meaning: 'the bearer token that /metrics requires', parse: bearerToken },
  FIRST_OPERATOR: {
    default: 'operator',
    meaning: 'the name of the account of the first start',
    parse: parseDeveloperId,
  },
  DRAIN_SECONDS: { default: '2', meaning: 'how long a stopping process goes on responding', parse: integer(0, 3_600) },
  LOG_LEVEL: { default: 'info', meaning: LOG_LEVELS.join(', '), parse: oneOf(LOG_LEVELS) },
  LOG_FORMAT: {
    default: 'auto',
    meaning: 'json, pretty, or auto: pretty on a terminal, else json',
    parse: oneOf(['auto', 'json', 'pretty']),
  },
} as const satisfies Record<string, Setting>;

/** The settings of a command that acts with a key. */
export const CLIENT_SETTINGS = {
  MARKETPLACE_KEY: { secret: true, default: '', meaning: 'the API key of mcp and conformance', parse: bearerToken },
  MARKETPLACE_WRITE_KEY: { secret: true, default: '', meaning: 'its API key to create', parse: bearerToken },
} as const satisfies Record<string, Setting>;

/** Every setting by its name. */
export const ALL_SETTINGS: Readonly<Record<string, Setting>> = { ...SETTINGS, ...CLIENT_SETTINGS };
