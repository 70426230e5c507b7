import { isSet, readVariables, validated, type Config } from '../config/config.js';
import type { Given } from '../config/environment.js';
import { MONGO_URL_RULE } from '../config/mongodb.js';
import { checkFolder } from './data-folder.js';
import { checkPlace } from './listen.js';

/** A value with a mistake is undefined. */
type Unchecked = { readonly [Name in keyof Config]: Config[Name] | undefined };

/**
 * Reads the configuration, and checks what depends on this machine and on the driver of the storage. Whether the
 * service can listen is checked only if there are other mistakes, so that all are listed; otherwise listening tells it.
 * @throws ConfigError that lists every mistake.
 */
export async function checkedConfig(
  purpose: 'service' | 'command',
  { environment, unknownLines }: Given,
): Promise<Config> {
  const { config: read, mistakes } = readVariables(environment);
  // A storage of one's own may have settings of its own.
  const isModule = /[./\\]/.test(environment['STORAGE'] ?? '');
  const config = { ...read, warnings: [...read.warnings, ...(isModule ? [] : unknownLines)] };
  const { STORAGE, DATA_DIR, HOST, PORT, MONGODB_URL } = config as Unchecked;
  const check = async (variable: string, work: () => unknown): Promise<void> => {
    try {
      await work();
    } catch (error) {
      mistakes.push(`${variable} ${(error as Error).message}`.trim());
    }
  };
  /** If the storage is unknown, every variable that is set is checked. */
  const applies = (name: Config['STORAGE'], variable: string) =>
    STORAGE === name || (STORAGE === undefined && isSet(environment, variable));
  if (DATA_DIR !== undefined && applies('sqlite', 'DATA_DIR')) await check('DATA_DIR', () => checkFolder(DATA_DIR));
  for (const variable of ['MONGODB_URL', 'MONGODB_URL_FILE'])
    if (MONGODB_URL && isSet(environment, variable) && applies('mongodb', variable))
      await check(variable, () => checkMongoOptions(MONGODB_URL));
  if (HOST !== undefined && purpose === 'service' && mistakes.length > 0)
    await check('', () => checkPlace({ HOST, PORT: PORT ?? 0 }));
  return validated(config, mistakes);
}

/** What else stands between `?` and `&` may be part of a password. */
const OPTION_NAME = /^\w{1,60}(?==)/;

/** Loads the driver only if it is needed. Its messages contain values, so only names of options are shown. */
async function checkMongoOptions(url: string): Promise<void> {
  const { newMongoClient } = await import('../../adapters/mongodb/client.js');
  const isRefused = (one: string) => {
    try {
      newMongoClient(one);
      return false;
    } catch {
      return true;
    }
  };
  if (!isRefused(url)) return;
  const [address = '', query = ''] = url.split('?');
  if (isRefused(address)) throw new Error(MONGO_URL_RULE);
  const refused = query.split('&').filter((option) => isRefused(`${address}?${option}`));
  const names = refused.flatMap((option) => OPTION_NAME.exec(option) ?? []);
  const rule = 'must have options that the driver knows, each once, with values that it takes and that agree';
  throw new Error(names.length === 0 ? rule : `${rule}; it refuses ${names.join(', ')}`);
}
