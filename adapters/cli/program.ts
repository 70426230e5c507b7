import { Command, CommanderError, Help, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { say, type Host } from './session.js';

export const DONE = 0;
export const FAILED = 1;
export const WRONG_USAGE = 2;

/** A mistake in what was typed: exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Ends a command that has said everything already. */
export function exit(code: number): never {
  throw new CommanderError(code, 'exit', '');
}

/** Returns the exit code of an error that needs no words more; undefined for any other error. */
export function exitCodeOf(error: unknown): number | undefined {
  if (!(error instanceof CommanderError)) return undefined;
  if (error.code === 'exit') return error.exitCode;
  return error.exitCode === 0 ? DONE : WRONG_USAGE;
}

/** Returns the program, still without commands. It throws where commander would end the process. */
export function newProgram({ name, version, stdout, stderr }: Host): Command {
  const program = new Command(name)
    .exitOverride()
    .helpOption('-h, --help', 'prints this help')
    .helpCommand('help [command]', 'prints the help of a command or a group')
    .configureHelp({ formatHelp })
    .configureOutput({
      writeOut: (text) => linesOf(text).forEach((line) => say(stdout, line)),
      writeErr: (text) => linesOf(text).forEach((line) => say(stderr, line)),
      outputError: (text, write) => write(text.replace(/^error: /, '')),
      getOutHelpWidth: () => stdout.columns ?? 100,
      getErrHelpWidth: () => stderr.columns ?? 100,
    })
    .addHelpText('after', '\nExit codes: 0 success, 1 failure, 2 wrong usage.');
  return version === undefined ? program : program.version(version, '--version', 'prints the version');
}

/** Lists every command in place of the groups. Elsewhere, as for suggestions, commander needs the groups. */
function formatHelp(command: CommandUnknownOpts, helper: Help): string {
  const subcommandTerm = (one: CommandUnknownOpts) => `${wordsOf(one)} ${argumentsOf(one)}`.trim();
  return new Help().formatHelp(command, Object.assign(helper, { visibleCommands: runnable, subcommandTerm }));
}

/** Lets the errors of every command say how its help is typed. Call it when all commands are there. */
export function addHints(program: CommandUnknownOpts): void {
  for (const command of [program, ...program.commands, ...runnable(program)])
    command.showHelpAfterError(hintOf(command));
}

/** Returns where the help of a command is. */
export function hintOf(command: CommandUnknownOpts): string {
  const [program, ...words] = pathOf(command);
  return `See ${[program, ...words, '--help'].join(' ')}`;
}

/** Returns the commands that can be run, at any depth. */
function runnable(command: CommandUnknownOpts): CommandUnknownOpts[] {
  return command.commands.flatMap((one) => (one.commands.length === 0 ? [one] : runnable(one)));
}

function pathOf(command: CommandUnknownOpts): readonly string[] {
  return command.parent === null ? [command.name()] : [...pathOf(command.parent), command.name()];
}

/** Returns how a command is typed after the name of the program. */
function wordsOf(command: CommandUnknownOpts): string {
  return pathOf(command).slice(1).join(' ');
}

function argumentsOf({ registeredArguments }: CommandUnknownOpts): string {
  return registeredArguments.map((one) => (one.required ? `<${one.name()}>` : `[${one.name()}]`)).join(' ');
}

function linesOf(text: string): readonly string[] {
  return text.replace(/\n$/, '').split('\n');
}
