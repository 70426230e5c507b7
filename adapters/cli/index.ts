/** The command line. The composition root passes the words that were typed and what the commands need. */
import { DomainError } from '../../domain/errors.js';
import { command, UnknownNameError, UsageError, type Command } from './command.js';
import { audit } from './commands/audit.js';
import { list, show } from './commands/automations-list.js';
import { automationCommands } from './commands/automations.js';
import { backup, restore } from './commands/backup.js';
import { categoryCommands } from './commands/categories.js';
import { check } from './commands/check.js';
import { conformance } from './commands/conformance.js';
import { developerCommands } from './commands/developers.js';
import { keyCommands } from './commands/keys.js';
import { revise } from './commands/revise.js';
import { commandOf, groupOf, helpOf, PROGRAM, unknownCommand } from './help.js';
import { DONE, FAILED, messageOf, say, WRONG_USAGE, type Host, type Output } from './session.js';
import { wordOf } from './terminal/words.js';

export { writeAndConfirm } from './session.js';
export type { Host, IfMissing, Output, Session, Terminal } from './session.js';

const serve = command(
  { name: 'serve', summary: 'runs the service until it is stopped', arguments: [], options: {} },
  (_input, host) => host.serve(),
);

/** All commands; dispatch and help are made from this table. */
const COMMANDS: readonly Command[] = [
  serve,
  ...keyCommands,
  ...developerCommands,
  ...categoryCommands,
  list,
  show,
  ...automationCommands,
  revise,
  audit,
  check,
  backup,
  restore,
  conformance,
];

/** Runs the command that the words name. Returns the exit code: 0 success, 1 failure, 2 wrong usage. Never rejects. */
export async function runCli(words: readonly string[], host: Host): Promise<number> {
  try {
    return await dispatch(words, host);
  } catch (error) {
    const mistake = usageMistake(error, words);
    for (const line of mistake === undefined ? messageOf(error).split('\n') : [mistake]) say(host.stderr, line);
    return mistake === undefined ? FAILED : WRONG_USAGE;
  }
}

async function dispatch(words: readonly string[], host: Host): Promise<number> {
  const [first, ...rest] = words;
  if (first === '--version' && host.version !== undefined) return print(host.version, host.stdout);
  if (first === 'help') return print(helpOf(rest, COMMANDS), host.stdout);
  if (asksForHelp(words)) return print(helpOf(words, COMMANDS), host.stdout);
  const found = commandOf(words, COMMANDS);
  if (found === undefined) throw unknownCommand(words, COMMANDS);
  return found.run(words.slice(found.name.split(' ').length), host);
}

function asksForHelp(words: readonly string[]): boolean {
  const end = words.indexOf('--');
  return words.slice(0, end < 0 ? undefined : end).some((word) => word === '--help' || word === '-h');
}

function print(text: string, stdout: Output): number {
  for (const line of text.split('\n')) say(stdout, line);
  return DONE;
}

/** Returns the message for wrong usage, which includes values that the core refuses; undefined for other errors. */
function usageMistake(error: unknown, words: readonly string[]): string | undefined {
  if (error instanceof UnknownNameError) return error.message;
  const found = commandOf(words, COMMANDS);
  const reason = error instanceof UsageError ? error.message : invalidValue(error, found);
  if (reason === undefined) return undefined;
  const place = [PROGRAM, found?.name ?? groupOf(words, COMMANDS), '--help'].filter((word) => word !== '');
  return `${reason}; see ${place.join(' ')}`;
}

/** Names each value as it is typed: `--name` for an option, else the argument of that name, or the first argument. */
function invalidValue(error: unknown, found: Command | undefined): string | undefined {
  if (!(error instanceof DomainError) || error.kind !== 'invalid') return undefined;
  const [first = '', ...others] = found?.arguments ?? [];
  const argumentOf = (field: string) => others.find((other) => other === field.toUpperCase()) ?? (first || field);
  const typed = (field: string) =>
    Object.hasOwn(found?.options ?? {}, wordOf(field)) ? `--${wordOf(field)}` : argumentOf(field);
  if (error.fields.length === 0) return error.message;
  return error.fields.map(({ field, detail }) => `${typed(field)} ${detail}`).join('; ');
}
