import { accepted, readVariables, whyOf, type Config, type Environment } from './config.js';
import { checkFolder } from './data-folder.js';
import { checkPlace } from '../service/listen.js';

/**
 * As `readConfig`, and tries what only this machine and the driver of a storage can tell. Where a service is to listen
 * is tried beside other mistakes only: without them the service tells it, and nobody is to reach what stops listening
 * at once. @throws ConfigError that lists every mistake.
 */
export async function checkedConfig(purpose: 'service' | 'command', environment?: Environment): Promise<Config> {
  const { config, mistakes, isSet } = readVariables(environment);
  const { storage, port } = config as Partial<Config>;
  const { host, dataDir, mongodbUrl } = config;
  const check = async (variable: string, work: () => unknown): Promise<void> => {
    try {
      await work();
    } catch (error) {
      mistakes.push(`${variable} ${whyOf(error)}`.trim());
    }
  };
  /** Of an unknown storage all that is set is looked at. */
  const isMeant = (name: Config['storage'], variable: string) =>
    storage === name || (storage === undefined && isSet(variable));
  if (isMeant('sqlite', 'DATA_DIR')) await check('DATA_DIR', () => checkFolder(dataDir));
  for (const variable of ['MONGODB_URL', 'MONGODB_URL_FILE'])
    if (isSet(variable) && mongodbUrl && isMeant('mongodb', variable))
      await check(variable, () => checkOptions(mongodbUrl));
  if (purpose === 'service' && mistakes.length > 0) await check('', () => checkPlace({ host, port: port ?? 0 }));
  return accepted(config, mistakes);
}

/** The driver is loaded for that only where it is needed. What it says has values in it. */
async function checkOptions(mongodbUrl: string): Promise<void> {
  const { newMongoClient } = await import('../../adapters/mongodb/client.js');
  try {
    newMongoClient(mongodbUrl);
  } catch (error) {
    throw new Error('must have options that the driver knows, each once, with values that it takes and that agree', {
      cause: error,
    });
  }
}
