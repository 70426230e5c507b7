import { ContainerModule } from 'inversify';
import type { Config } from '../config/config.js';
import { CORE } from '../tokens.js';
import { addressForLinks, linkWarning, welcomeUrl } from './links.js';
import type { Store } from './store.js';
import { COMMAND_SESSION } from './tokens.js';

/** What the commands work with, over the core and the configured storage. */
export function commandModule(config: Config, store: Store, address: string | undefined): ContainerModule {
  return new ContainerModule(({ bind }) => {
    bind(COMMAND_SESSION).toResolvedValue(
      (core) => ({
        ...core,
        search: config.search,
        welcomeUrl: (token) => welcomeUrl(addressForLinks(config, address), token),
        whyLinksAreDead: linkWarning(config, address),
        check: (options) => store.storage.check(options),
        backup: (file) => store.backup(file),
        close: async () => {
          await core.audit.settled();
          await store.storage.close();
        },
      }),
      [CORE],
    );
  });
}
