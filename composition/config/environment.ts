import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { isOneLetterOff } from '../../adapters/cli/one-letter-off.js';
import { clean, inFile, reasonOf, type Parser } from './parsers.js';
import { ALL_SETTINGS } from './settings.js';
import type { Setting, Values } from './service-settings.js';

export type Environment = Readonly<Record<string, string | undefined>>;

/** The names of all settings, also of those that name files. */
const NAMES = Object.entries(ALL_SETTINGS).flatMap(([name, { secret }]) => (secret ? [name, `${name}_FILE`] : [name]));

/** What sets the program. */
export interface Given {
  /** The variables of `.env` in the working directory, of the environment, and the flags, of which the later win. */
  readonly environment: Environment;
  /** A sentence for each line of `.env` that is neither a setting nor a common variable. */
  readonly unknownLines: readonly string[];
}

/** Reads what sets the program. @throws Error for people when `.env` cannot be read. */
export function readEnvironment(flags: Environment = {}): Given {
  // An empty variable is none, and would hide that of the file.
  for (const name of NAMES) if (process.env[name] === '') Reflect.deleteProperty(process.env, name);
  const lines = readLines();
  // Drivers read variables of theirs from the process.
  for (const [name, value] of Object.entries(lines)) process.env[name] ??= value;
  return { environment: { ...process.env, ...flags }, unknownLines: unknownAmong(Object.keys(lines)) };
}

/** Returns the variables in `.env`. */
function readLines(): NodeJS.Dict<string> {
  try {
    return parseEnv(readFileSync('.env', 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw new Error('the file .env in the working directory cannot be read', { cause: error });
  }
}

/** Returns how the program is typed, for texts that people copy. */
export function programName({ npm_lifecycle_event: script }: Environment = process.env): string {
  return script === 'marketplace' || script === 'start' ? 'npm run -s marketplace --' : 'automation-marketplace';
}

/** What was read of the environment. A value with a mistake is undefined. */
interface Reading<Settings extends Readonly<Record<string, Setting>>> {
  readonly values: Values<Settings>;
  readonly mistakes: string[];
}

/** Returns the values of the settings, and every mistake in them. An empty text is that of a setting not given. */
export function readSettings<const Settings extends Readonly<Record<string, Setting>>>(
  settings: Settings,
  environment: Environment,
): Reading<Settings> {
  const mistakes: string[] = [];
  const parsed = (name: string, byDefault: string, parse: Parser<unknown>) => {
    try {
      const text = clean(environment[name] || byDefault);
      return text === '' ? '' : parse(text);
    } catch (error) {
      mistakes.push(`${name} ${reasonOf(error)}`);
      return undefined;
    }
  };
  const valueOf = (name: string, { default: byDefault, parse, secret }: Setting) => {
    const value = parsed(name, byDefault, parse);
    if (!secret) return value;
    const fromFile = parsed(`${name}_FILE`, '', inFile(parse));
    if (environment[name] && environment[`${name}_FILE`])
      mistakes.push(`${name}_FILE must not be set together with ${name}`);
    return value || fromFile;
  };
  const values = Object.entries(settings).map(([name, setting]) => [name, valueOf(name, setting)]);
  return { values: Object.fromEntries(values) as Values<Settings>, mistakes };
}

/** Variables of the shell, of Node and of tools around it, which may stand in `.env`, too. */
const COMMON =
  /^(?:PATH|HOME|USER|LANG|TZ|TMPDIR|NODE_\w+|npm_\w+|PG\w+|LC_\w+|UV_\w+|SSL_\w+|(?:https?|no|all)_proxy)$/i;

function unknownAmong(names: readonly string[]): readonly string[] {
  return names
    .filter((name) => !NAMES.includes(name) && !COMMON.test(name) && misspelt({ [name]: '' }).length === 0)
    .map((name) => `${name} in the file .env is not a setting, so it changes nothing; serve --help lists the settings`);
}

/** Returns a sentence for each variable that is one letter off a setting, and so was probably meant to be it. */
export function misspelt(environment: Environment): readonly string[] {
  return Object.keys(environment).flatMap((name) => {
    const meant = NAMES.includes(name) ? undefined : NAMES.find((one) => isOneLetterOff(name, one));
    return meant === undefined ? [] : [`${name} is not a setting; did you mean ${meant}?`];
  });
}
