import type { IfMissing, Session } from '../../adapters/cli/index.js';
import { cachedStorage } from '../../adapters/storage/caches.js';
import { compose } from '../container.js';
import { coreModule } from '../modules/core.js';
import { storageModule } from '../modules/storage.js';
import { checkedConfig } from './checked-config.js';
import { commandModule } from './commands.js';
import { openStore } from './configured-storage.js';
import { namingCurrency } from './store.js';
import { COMMAND_SESSION } from './tokens.js';

const NOT_IN_AUDIT = 'this is done, but it could not be written to the audit\n';

/** Opens what a command works with. @throws Error for people. */
export async function openSession(ifMissing: IfMissing): Promise<Session> {
  const config = await checkedConfig('command');
  if (config.storage === 'memory')
    throw new Error('STORAGE is memory, which ends with its process; commands need a storage that stays.');
  const store = await openStore(config, { ifMissing });
  try {
    await store.storage.prepare({ currency: config.currency });
  } catch (error) {
    await store.storage.close();
    throw namingCurrency(error);
  }
  return compose(
    COMMAND_SESSION,
    coreModule({ currency: config.currency, onAuditError: () => process.stderr.write(NOT_IN_AUDIT) }),
    storageModule(cachedStorage(store.storage, { seconds: config.keyCacheSeconds })),
    commandModule(config, store),
  );
}
