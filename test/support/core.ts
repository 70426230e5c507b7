import { Container } from 'inversify';
import { Passwords } from '../../application/accounts.js';
import {
  parseCurrency,
  RoutingApiKeyVerifier,
  type ApiKeyVerifier,
  type Category,
  type FileInspector,
} from '../../application/index.js';
import { coreModule } from '../../composition/modules/core.js';
import { storageModule } from '../../composition/modules/storage.js';
import { API_KEY_VERIFIER } from '../../composition/tokens.js';
import { overMemory, type Repositories } from './repositories.js';
import { TEST_CATEGORIES } from './storages.js';

export interface CoreOptions {
  /** In memory by default. */
  readonly repositories?: Repositories | Promise<Repositories> | undefined;
  readonly categories?: readonly Category[] | undefined;
  readonly now?: (() => Date) | undefined;
  /** Takes access tokens in addition to keys. */
  readonly tokens?: ApiKeyVerifier | undefined;
  /** Quick ones by default. */
  readonly passwords?: Passwords | undefined;
  readonly currency?: string | undefined;
  /** Without it, no files are taken. */
  readonly fileInspector?: FileInspector | undefined;
  readonly onAuditError?: (error: unknown) => unknown;
}

export interface Core {
  readonly container: Container;
  readonly repositories: Repositories;
}

/** Returns the core that ships, with categories and nothing on sale. Only its password hashes are weaker. */
export async function openCore(options: CoreOptions): Promise<Core> {
  const { now, currency = 'USD', onAuditError, tokens, categories = TEST_CATEGORIES, fileInspector } = options;
  const { passwords = new Passwords({ cost: 4 }) } = options;
  const repositories = await (options.repositories ?? overMemory());
  await repositories.prepare({ currency: parseCurrency(currency) });
  await repositories.categories.save(categories);
  const container = new Container({ defaultScope: 'Singleton' });
  const core = coreModule({ now, currency, onAuditError, passwords, fileInspector });
  container.load(core, storageModule(repositories));
  if (tokens) container.onActivation(API_KEY_VERIFIER, (_context, keys) => new RoutingApiKeyVerifier(keys, tokens));
  return { container, repositories };
}
