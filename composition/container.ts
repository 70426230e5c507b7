import { Container } from 'inversify';
import type { Missing } from '../adapters/cli/index.js';
import type { Config } from './config.js';
import { coreModule, type CoreOptions } from './core-module.js';
import { openStorage } from './storage.js';
import type { Store } from './store.js';

export interface Composition {
  readonly container: Container;
  readonly store: Store;
}

/** The core over the configured storage. */
export async function compose(config: Config, options: Omit<CoreOptions, 'currency'> = {}): Promise<Composition> {
  const { store, module } = await openStorage(config);
  const container = new Container();
  container.load(coreModule({ ...options, currency: config.currency }), module);
  return { container, store };
}

/** Makes the store ready. @throws Error when it has another currency, or must be there and is not; DomainError `unavailable` when it is out of reach. */
export async function start({ store }: Composition, { currency }: Config, missing: Missing = 'made'): Promise<void> {
  const noted = await store.noteCurrency(currency, missing);
  if (noted === currency) return;
  throw new Error(
    `CURRENCY must be ${noted}: the store was made with it, and its prices are in it. Another currency needs another store.`,
  );
}
