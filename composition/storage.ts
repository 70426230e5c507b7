import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Container, type ContainerModule } from 'inversify';
import { SqliteDatabase } from '../adapters/sqlite/index.js';
import type { Config } from './config.js';
import { coreModule, inMemoryModule, sqliteModule } from './modules.js';

/** What the service asks of its storage beside the ports. */
export interface Store {
  /** Notes a currency for good if there is none yet, and answers the one that is noted. */
  noteCurrency(currency: string): Promise<string>;
  /** Rejects when the store is out of reach. */
  ping(): Promise<void>;
  close(): void | Promise<void>;
}

export interface Composition {
  readonly container: Container;
  readonly store: Store;
}

/** The core over the configured storage, opened and of the right currency. */
export async function compose(config: Config): Promise<Composition> {
  const { store, module } = open(config);
  const container = new Container();
  container.load(coreModule({ currency: config.currency }), module);
  const noted = await store.noteCurrency(config.currency);
  if (noted === config.currency) return { container, store };
  await store.close();
  throw new Error(
    `CURRENCY must be ${noted}: the store was started with it and has its prices in it. Another currency needs another store.`,
  );
}

function open(config: Config): { store: Store; module: ContainerModule } {
  if (config.storage === 'memory') return { store: MEMORY, module: inMemoryModule() };
  makeFolder(config.dataDir);
  const database = new SqliteDatabase(join(config.dataDir, 'marketplace.db'));
  return { store: database, module: sqliteModule(database, { seconds: config.keyCacheSeconds }) };
}

function makeFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true });
  } catch (error) {
    throw new Error('DATA_DIR must name a folder that is there or can be made.', { cause: error });
  }
}

const MEMORY: Store = {
  noteCurrency: async (currency) => currency,
  ping: async () => undefined,
  close: () => undefined,
};
