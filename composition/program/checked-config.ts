import { isSet, readVariables, validated, type Config, type Environment } from '../config/config.js';
import { reasonOf } from '../config/parsers.js';
import { checkFolder } from './data-folder.js';
import { checkPlace } from './listen.js';

/**
 * Reads the configuration, and checks what depends on this machine and on the driver of the storage. Whether the
 * service can listen is checked only if there are other mistakes, so that all are listed; otherwise listening tells it.
 * @throws ConfigError that lists every mistake.
 */
export async function checkedConfig(purpose: 'service' | 'command', environment: Environment): Promise<Config> {
  const { config, mistakes } = readVariables(environment);
  const { storage, port } = config as Partial<Config>;
  const { host, dataDir, mongodbUrl } = config;
  const check = async (variable: string, work: () => unknown): Promise<void> => {
    try {
      await work();
    } catch (error) {
      mistakes.push(`${variable} ${reasonOf(error)}`.trim());
    }
  };
  /** If the storage is unknown, every variable that is set is checked. */
  const applies = (name: Config['storage'], variable: string) =>
    storage === name || (storage === undefined && isSet(environment, variable));
  if (applies('sqlite', 'DATA_DIR')) await check('DATA_DIR', () => checkFolder(dataDir));
  for (const variable of ['MONGODB_URL', 'MONGODB_URL_FILE'])
    if (isSet(environment, variable) && mongodbUrl && applies('mongodb', variable))
      await check(variable, () => checkOptions(mongodbUrl));
  if (purpose === 'service' && mistakes.length > 0) await check('', () => checkPlace({ host, port: port ?? 0 }));
  return validated(config, mistakes);
}

const OPTIONS = 'must have options that the driver knows, each once, with values that it takes and that agree';
/** What else stands between `?` and `&` may be part of a password. */
const OPTION_NAME = /^\w{1,60}(?==)/;

/** Loads the driver only if it is needed. Its messages contain values, so only names of options are shown. */
async function checkOptions(mongodbUrl: string): Promise<void> {
  const { newMongoClient } = await import('../../adapters/mongodb/client.js');
  const refusalOf = (url: string): unknown => {
    try {
      return void newMongoClient(url);
    } catch (error) {
      return error;
    }
  };
  const cause = refusalOf(mongodbUrl);
  if (cause === undefined) return;
  const [address = '', query = ''] = mongodbUrl.split('?');
  const refused = query.split('&').filter((option) => refusalOf(`${address}?${option}`) !== undefined);
  const names = refused.flatMap((option) => OPTION_NAME.exec(option) ?? []);
  throw new Error(names.length === 0 ? OPTIONS : `${OPTIONS}; it refuses ${names.join(', ')}`, { cause });
}
