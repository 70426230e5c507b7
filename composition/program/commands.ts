import { ContainerModule } from 'inversify';
import type { Config } from '../config/config.js';
import {
  AUDIT_TRAIL,
  AUTOMATION_RECORDS,
  AUTOMATION_TRANSFER,
  DEVELOPER_ACCOUNTS,
  DEVELOPER_KEYS,
  DEVELOPER_WITHDRAWALS,
  MARKETPLACE,
  MARKETPLACE_CATEGORIES,
} from '../tokens.js';
import { linkWarning, urlForPeople, welcomeUrl } from './links.js';
import type { Store } from './store.js';
import { COMMAND_SESSION } from './tokens.js';

/** What the commands work with, over the core and the configured storage. */
export function commandModule(config: Config, store: Store): ContainerModule {
  return new ContainerModule(({ bind }) => {
    bind(COMMAND_SESSION).toResolvedValue(
      (marketplace, records, transfer, keys, accounts, audit, categories, withdrawals) => ({
        ...{ marketplace, records, transfer, keys, accounts, audit, categories, withdrawals },
        search: config.search,
        welcomeUrl: (token) => welcomeUrl(urlForPeople(config), token),
        whyLinksAreDead: linkWarning(config),
        check: (options) => store.storage.check(options),
        backup: (file) => store.backup(file),
        close: async () => {
          await audit.settled();
          await store.storage.close();
        },
      }),
      [
        MARKETPLACE,
        AUTOMATION_RECORDS,
        AUTOMATION_TRANSFER,
        DEVELOPER_KEYS,
        DEVELOPER_ACCOUNTS,
        AUDIT_TRAIL,
        MARKETPLACE_CATEGORIES,
        DEVELOPER_WITHDRAWALS,
      ],
    );
  });
}
