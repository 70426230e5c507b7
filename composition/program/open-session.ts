import type { IfMissing, Session } from '../../adapters/cli/index.js';
import { cachedStorage } from '../../adapters/storage/caches.js';
import type { Environment } from '../config/config.js';
import { compose } from '../container.js';
import { coreModule } from '../modules/core.js';
import { storageModule } from '../modules/storage.js';
import { checkedConfig } from './checked-config.js';
import { commandModule } from './commands.js';
import { openStore } from './configured-storage.js';
import { prepare } from './store.js';
import { COMMAND_SESSION } from './tokens.js';

const NOT_IN_AUDIT = 'this is done, but it could not be written to the audit\n';

/** Opens what a command works with. @throws Error for people. */
export async function openSession(ifMissing: IfMissing, environment: Environment): Promise<Session> {
  const config = await checkedConfig('command', environment);
  for (const warning of config.warnings) process.stderr.write(`${warning}\n`);
  if (config.storage === 'memory')
    throw new Error('With STORAGE=memory the data lives inside the service; commands cannot reach it.');
  const store = await openStore(config, { ifMissing, onNew: (place) => process.stderr.write(`new store: ${place}\n`) });
  const { currency, address } = await prepare(store.storage, config).catch(async (error: unknown) => {
    await store.storage.close();
    throw error;
  });
  return compose(
    COMMAND_SESSION,
    coreModule({ currency, onAuditError: () => process.stderr.write(NOT_IN_AUDIT) }),
    storageModule(cachedStorage(store.storage, { seconds: config.keyCacheSeconds })),
    commandModule(config, store, address),
  );
}
