import type { Environment } from '../config/config.js';
import { composeService } from '../modules/service.js';
import { checkedConfig } from './checked-config.js';
import { openStore } from './configured-storage.js';
import { newLog } from './log.js';
import { Program } from './program.js';
import { currencyOf } from './store.js';

/** Runs the service until it is stopped, and returns the exit code. */
export async function runService(environment: Environment): Promise<number> {
  const config = await checkedConfig('service', environment);
  const log = newLog(config);
  for (const warning of config.warnings) log.warn(warning);
  const { storage } = await openStore(config, {
    onError: (err) => log.warn({ err }, 'the work of the store in the background failed; it is tried again'),
  });
  const service = await composeService(storage, { ...config, currency: await currencyOf(storage, config) }, log);
  return new Program(config, log, service, storage).run();
}
