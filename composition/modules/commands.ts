import { ContainerModule } from 'inversify';
import type { Config } from '../config/config.js';
import { linkWarning, urlForPeople, welcomeUrl } from '../service/links.js';
import { prepareStore } from '../service/store.js';
import { COMMAND_SESSION, STORE } from '../service/tokens.js';
import {
  AUDIT_TRAIL,
  AUTOMATION_TRANSFER,
  CATEGORY_REPOSITORY,
  DEVELOPER_ACCOUNTS,
  DEVELOPER_KEYS,
  MARKETPLACE,
} from '../tokens.js';

/** What the commands work with, over the core and the configured storage. */
export function commandModule(config: Config): ContainerModule {
  return new ContainerModule(({ bind }) => {
    bind(COMMAND_SESSION).toResolvedValue(
      (store, marketplace, transfer, keys, accounts, audit, categories) => ({
        ...{ marketplace, transfer, keys, accounts, audit, categories },
        prepare: (ifMissing) => prepareStore(store, config, ifMissing),
        welcomeUrl: (token) => welcomeUrl(urlForPeople(config), token),
        whyLinksAreDead: linkWarning(config),
        backup: (file) => store.backup(file),
        close: async () => {
          await audit.settled();
          await store.close();
        },
      }),
      [STORE, MARKETPLACE, AUTOMATION_TRANSFER, DEVELOPER_KEYS, DEVELOPER_ACCOUNTS, AUDIT_TRAIL, CATEGORY_REPOSITORY],
    );
  });
}
