/** The command line. The composition root passes the words that were typed and what the commands need. */
import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { DomainError } from '../../domain/errors.js';
import { addApps } from './commands/apps.js';
import { addAudit } from './commands/audit.js';
import { addAutomations } from './commands/automations.js';
import { addCategories } from './commands/categories.js';
import { addConformance } from './commands/conformance.js';
import { addDevelopers } from './commands/developers.js';
import { addKeys } from './commands/keys.js';
import { addMcp } from './commands/mcp.js';
import { addServe } from './commands/serve.js';
import { addStore } from './commands/store.js';
import { addHints, DONE, exitCodeOf, FAILED, hintOf, newProgram, UsageError, WRONG_USAGE } from './program.js';
import { messageOf, say, type Host } from './session.js';
import { detailOf, wordOf } from './terminal/words.js';

export { writeAndConfirm } from './session.js';
export type { Host, IfMissing, Output, Session, SettingHelp, Terminal } from './session.js';

/** Each adds its commands to the program, in the order of the help. */
const COMMANDS = [
  addServe,
  addKeys,
  addDevelopers,
  addApps,
  addCategories,
  addAutomations,
  addAudit,
  addStore,
  addMcp,
  addConformance,
];

/** Runs the command that the words name. Returns the exit code: 0 success, 1 failure, 2 wrong usage. Never rejects. */
export async function runCli(words: readonly string[], host: Host): Promise<number> {
  const program = newProgram(host);
  for (const add of COMMANDS) add(program, host);
  addHints(program);
  let command: CommandUnknownOpts = program;
  program.hook('preAction', (_, run) => void (command = run));
  try {
    await program.parseAsync(words, { from: 'user' });
    return DONE;
  } catch (error) {
    return exitCodeOf(error) ?? report(error, command, host);
  }
}

/** Prints an error of a command and returns its exit code. */
function report(error: unknown, command: CommandUnknownOpts, { stderr }: Host): number {
  const mistake = error instanceof UsageError ? error.message : invalidValue(error, command);
  const lines = mistake === undefined ? messageOf(error).split('\n') : [mistake, hintOf(command)];
  for (const line of lines) say(stderr, line);
  return mistake === undefined ? FAILED : WRONG_USAGE;
}

/** Names each value as it is typed: `--name` for an option, else the argument of that name, or the first argument. */
function invalidValue(error: unknown, { options, registeredArguments }: CommandUnknownOpts): string | undefined {
  if (!(error instanceof DomainError) || error.kind !== 'invalid') return undefined;
  const [first, ...others] = registeredArguments.map((one) => one.name());
  const typed = (field: string) => {
    const option = options.find(({ long }) => long === `--${wordOf(field)}`)?.long;
    return option ?? others.find((other) => other === field.toUpperCase()) ?? first ?? field;
  };
  return error.fields.map((one) => `${typed(one.field)} ${detailOf(one)}`).join('; ') || error.message;
}
