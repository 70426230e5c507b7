import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Currency } from '../../domain/currency.js';
import type { Storage } from '../../domain/ports.js';
import type { Config } from '../config/config.js';
import type { ModulePath } from '../config/parsers.js';

/** What a module that `STORAGE` names gets. */
export interface StorageSettings {
  readonly currency: Currency;
  /** Whether the storage is to keep a search index. */
  readonly search: boolean;
  /** The folder of `DATA_DIR`, which may not exist yet. */
  readonly dataDir: string;
  /** All environment variables. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

type OpenStorage = (settings: StorageSettings) => Storage | Promise<Storage>;

const PORTS: readonly (keyof Storage)[] = [
  'supports',
  'automations',
  'archive',
  'categories',
  'keys',
  'developers',
  'sessions',
  'auditLog',
];
const FUNCTIONS: readonly (keyof Storage)[] = ['prepare', 'ping', 'check', 'close'];

/**
 * Opens the storage of a module of the operator. @throws Error for people when the module cannot be loaded, or does not
 * export such a function, or the storage lacks a part. A failure of the function passes unchanged.
 */
export async function openOwnStorage(path: ModulePath, config: Config): Promise<Storage> {
  const open = await load(path);
  const { currency, search, dataDir, environment } = config;
  const storage: unknown = await open({ currency, search, dataDir, env: environment });
  const missing = missingParts(storage);
  if (missing.length === 0) return storage as Storage;
  throw new Error(`STORAGE names a module whose storage lacks ${missing.join(', ')}`);
}

async function load(path: ModulePath): Promise<OpenStorage> {
  const loaded = (await import(pathToFileURL(resolve(path)).href).catch((error: unknown) => {
    throw new Error(`STORAGE names a module that cannot be loaded: ${String(error)}`, { cause: error });
  })) as { readonly default?: unknown };
  if (typeof loaded.default === 'function') return loaded.default as OpenStorage;
  throw new Error('STORAGE names a module without a default export that is a function, which returns a storage');
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function missingParts(storage: unknown): readonly string[] {
  if (!isObject(storage)) return [...PORTS, ...FUNCTIONS];
  const parts = storage as Partial<Record<string, unknown>>;
  return [
    ...PORTS.filter((name) => !isObject(parts[name])),
    ...(parts['search'] === undefined || isObject(parts['search']) ? [] : ['search']),
    ...FUNCTIONS.filter((name) => typeof parts[name] !== 'function'),
  ];
}
