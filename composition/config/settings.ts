import { parseDeveloperId } from '../../domain/access.js';
import { DEFAULT_CURRENCY, parseCurrency } from '../../domain/currency.js';
import { checkMongoUrl } from './mongodb.js';
import { bearerToken, integer, oneOf, postgresSchema, storage } from './parsers.js';
import { checkPostgresUrl } from './postgresql.js';
import { SERVICE_SETTINGS, type Setting } from './service-settings.js';

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
  ...SERVICE_SETTINGS,
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
