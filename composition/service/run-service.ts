import { checkedConfig } from '../config/checked-config.js';
import { compose } from '../container.js';
import { cachedStorage } from '../modules/cached-storage.js';
import { openStore } from '../modules/configured-storage.js';
import { coreModule } from '../modules/core.js';
import { serviceModules } from '../modules/service.js';
import { storageModule } from '../modules/storage.js';
import { newLog } from './log.js';
import { SERVICE } from './tokens.js';

/** Runs the service until it is stopped, and returns the exit code. */
export async function runService(): Promise<number> {
  const config = await checkedConfig('service');
  const log = newLog(config);
  const core = coreModule({
    currency: config.currency,
    onAuditError: (error, entries) => log.error({ err: error, entries }, 'the audit could not be written'),
  });
  const tokens = config.accessTokens && (await import('../modules/oauth.js')).oauthModule(config.accessTokens);
  const { storage } = await openStore(config);
  const modules = [
    core,
    ...(tokens ? [tokens] : []),
    storageModule(cachedStorage(storage, { seconds: config.keyCacheSeconds })),
    ...serviceModules(config, log),
  ];
  return compose(SERVICE, ...modules).run();
}
