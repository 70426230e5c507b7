import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { DEFAULT_CURRENCY, type Currency } from '../../domain/currency.js';
import type { Storage } from '../../domain/ports.js';
import type { StorageSettings } from '../storage-settings.js';
import type { ModulePath } from '../config/parsers.js';

/** The settings of the program that it hands on. */
interface OwnStorageConfig {
  readonly CURRENCY: Currency | undefined;
  readonly SEARCH: boolean;
  readonly DATA_DIR: string;
  readonly environment: StorageSettings['env'];
}

type OpenStorage = (settings: StorageSettings) => Storage | Promise<Storage>;

/** The kinds of the parts that each storage must have. */
const PARTS: Readonly<Partial<Record<keyof Storage, 'object' | 'function'>>> = {
  supports: 'object',
  automations: 'object',
  archive: 'object',
  categories: 'object',
  keys: 'object',
  developers: 'object',
  sessions: 'object',
  auditLog: 'object',
  recordedCurrency: 'function',
  prepare: 'function',
  ping: 'function',
  check: 'function',
  close: 'function',
};

const OPTIONAL_PARTS = ['search', 'oauthRecords', 'reports'] as const satisfies readonly (keyof Storage)[];

/**
 * Opens the storage of a module of the operator. @throws Error for people when the module cannot be loaded, or does not
 * export such a function, or the storage lacks a part. A failure of the function passes unchanged.
 */
export async function openOwnStorage(path: ModulePath, config: OwnStorageConfig): Promise<Storage> {
  const open = await load(path);
  const { CURRENCY: currency = DEFAULT_CURRENCY, SEARCH: search, DATA_DIR: dataDir, environment: env } = config;
  const storage: unknown = await open({ currency, search, dataDir, env });
  const missing = missingParts(storage);
  if (missing.length === 0) return storage as Storage;
  throw new Error(`STORAGE names a module whose storage lacks ${missing.join(', ')}`);
}

/** @throws TypeError that names the parts which a storage lacks. */
export function requireStorage(owner: string, storage: Storage): void {
  const missing = missingParts(storage);
  if (missing.length > 0) throw new TypeError(`${owner} takes a whole storage; this one lacks ${missing.join(', ')}`);
}

async function load(path: ModulePath): Promise<OpenStorage> {
  const loaded = (await import(pathToFileURL(resolve(path)).href).catch((error: unknown) => {
    throw new Error(`STORAGE names a module that cannot be loaded: ${String(error)}`, { cause: error });
  })) as { readonly default?: unknown };
  if (typeof loaded.default === 'function') return loaded.default as OpenStorage;
  throw new Error('STORAGE names a module without a default export that is a function, which returns a storage');
}

function missingParts(storage: unknown): readonly string[] {
  const parts = (storage ?? {}) as { readonly [Name in string]?: unknown };
  const kindOf = (name: string) => (parts[name] === null ? 'null' : typeof parts[name]);
  const missing = Object.entries(PARTS).flatMap(([name, kind]) => (kindOf(name) === kind ? [] : [name]));
  const wrong = OPTIONAL_PARTS.filter((name) => !['object', 'undefined'].includes(kindOf(name)));
  return [...missing, ...wrong];
}
