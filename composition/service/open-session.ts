import type { IfMissing, Session } from '../../adapters/cli/index.js';
import { checkedConfig } from '../config/checked-config.js';
import { compose } from '../container.js';
import { commandModule } from '../modules/commands.js';
import { configuredStorage, requireStore } from '../modules/configured-storage.js';
import { coreModule } from '../modules/core.js';
import { COMMAND_SESSION } from './tokens.js';

const NOT_IN_AUDIT = 'this is done, but it could not be written to the audit\n';

/** Opens what a command works with. @throws Error for people. */
export async function openSession(ifMissing: IfMissing): Promise<Session> {
  const config = await checkedConfig('command');
  if (config.storage === 'memory')
    throw new Error('STORAGE is memory, which ends with its process; commands need a storage that stays.');
  if (ifMissing === 'refuse') requireStore(config);
  const core = coreModule({ currency: config.currency, onAuditError: () => process.stderr.write(NOT_IN_AUDIT) });
  const session = compose(COMMAND_SESSION, core, ...(await configuredStorage(config)), commandModule(config));
  try {
    await session.prepare(ifMissing);
    return session;
  } catch (error) {
    await session.close();
    throw error;
  }
}
