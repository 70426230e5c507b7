import { UnknownNameError, UsageError, type Command } from './command.js';
import { nearest } from './nearest.js';
import { aligned } from './terminal/table.js';

export const PROGRAM = 'automation-marketplace';

/** Returns the command whose name the words start with. */
export function commandOf(words: readonly string[], commands: readonly Command[]): Command | undefined {
  return commands.find(({ name }) => name.split(' ').every((word, index) => words[index] === word));
}

/** Returns the first word if it is that of a group, such as `keys`; else an empty text. */
export function groupOf([word = '']: readonly string[], commands: readonly Command[]): string {
  return membersOf(word, commands).length > 0 ? word : '';
}

/** Returns the help of the command or group that the words name; without words, the list of all commands. */
export function helpOf(words: readonly string[], commands: readonly Command[]): string {
  const command = commandOf(words, commands);
  if (command !== undefined) return commandHelp(command);
  const group = groupOf(words, commands);
  if (group === '' && words[0] !== undefined && !words[0].startsWith('-')) throw unknownCommand(words, commands);
  return listHelp(group === '' ? commands : membersOf(group, commands), group);
}

/** Returns the error for words that name no command. */
export function unknownCommand(words: readonly string[], commands: readonly Command[]): UsageError {
  const [first, second] = words;
  if (first === undefined) return new UsageError('a command is missing');
  const group = groupOf(words, commands);
  if (group !== '' && (second === undefined || second.startsWith('-')))
    return new UsageError(`a command is missing; ${group} has ${listOf(membersOf(group, commands))}`);
  if (first.startsWith('-')) return new UnknownNameError(`option "${first}"`, undefined, '--help');
  return new UnknownNameError(`command "${typedName(words)}"`, suggestionFor(words, commands), '--help');
}

/** Compares only as many words as the name of a command has: the rest may be arguments. */
function suggestionFor(words: readonly string[], commands: readonly Command[]): string | undefined {
  const names = commands.map(({ name }) => name);
  const inTwo = nearest(
    words.slice(0, 2).join(' '),
    names.filter((name) => name.includes(' ')),
  );
  const name =
    inTwo ??
    nearest(
      words[0] ?? '',
      [...names, 'help'].filter((one) => !one.includes(' ')),
    );
  return name === undefined ? undefined : `"${name}"`;
}

/** Returns the two words that may be a name, without options. */
function typedName([first = '', second = '-']: readonly string[]): string {
  return second.startsWith('-') ? first : `${first} ${second}`;
}

function listOf(commands: readonly Command[]): string {
  return commands.map(({ name }) => name.split(' ').at(-1)).join(', ');
}

function membersOf(group: string, commands: readonly Command[]): readonly Command[] {
  return commands.filter(({ name }) => name.startsWith(`${group} `));
}

function commandHelp(command: Command): string {
  const options = Object.entries(command.options).map(([name, { value, summary }]) => [
    `  --${name}${value === undefined ? '' : ` ${value}`}`,
    summary,
  ]);
  const table = aligned([...options, ['  --help', 'prints this help']]);
  const summary = `${command.summary.charAt(0).toUpperCase()}${command.summary.slice(1)}.`;
  const texts = [summary, ...(command.details?.split('\n') ?? [])].map((text) => `  ${text}`);
  return [`${PROGRAM} ${usageOf(command)}`, '', ...texts, '', 'Options:', ...table].join('\n');
}

function usageOf(command: Command): string {
  const options = Object.entries(command.options).map(([name, { value, required }]) => {
    const usage = `--${name}${value === undefined ? '' : ` ${value}`}`;
    return required ? usage : `[${usage}]`;
  });
  return [command.name, ...command.arguments, ...options].join(' ');
}

function listHelp(commands: readonly Command[], group: string): string {
  return [
    `${PROGRAM} ${group === '' ? '' : `${group} `}COMMAND`,
    '',
    'Commands:',
    ...aligned(commands.map(({ name, summary }) => [`  ${name}`, summary])),
    '',
    `${PROGRAM} COMMAND --help prints more about a command. Exit codes: 0 success, 1 failure, 2 wrong usage.`,
  ].join('\n');
}
