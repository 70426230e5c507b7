import { inCurrency, type Environment } from '../config/config.js';
import { composeService } from '../modules/service.js';
import { checkedConfig } from './checked-config.js';
import { openStore } from './configured-storage.js';
import { newLog } from './log.js';
import { Program, stopSignals } from './program.js';
import { untilStopped } from './stop.js';
import { currencyOf } from './store.js';

/** Runs the service until it is stopped, and returns the exit code. */
export async function runService(environment: Environment): Promise<number> {
  const config = await checkedConfig('service', environment);
  const log = newLog(config);
  for (const warning of config.warnings) log.warn(warning);
  const { storage } = await openStore(config, {
    onError: (err) => log.warn({ err }, 'the work of the store in the background failed; it is tried again'),
  });
  const stopped = untilStopped(log, stopSignals(config));
  const currency = await Promise.race([currencyOf(storage, config), stopped.then(() => config.currency)]);
  const service = await composeService(storage, inCurrency(config, currency), log);
  return new Program(config, log, service, storage).run(stopped);
}
