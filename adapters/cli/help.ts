import type { Command } from './command.js';
import { aligned } from './table.js';

export const PROGRAM = 'automation-marketplace';

/** The command whose name the words start with. */
export function commandOf(words: readonly string[], commands: readonly Command[]): Command | undefined {
  return commands.find(({ name }) => name.split(' ').every((word, index) => words[index] === word));
}

/** Everything about one command. */
export function commandHelp(command: Command): string {
  const options = Object.entries(command.options).map(([name, { value, summary }]) => [
    `  --${name}${value === undefined ? '' : ` ${value}`}`,
    summary,
  ]);
  const table = aligned([...options, ['  --help', 'prints this']]);
  return [`${PROGRAM} ${usageOf(command)}`, '', `  ${command.summary}`, '', 'Options:', ...table].join('\n');
}

/** The commands of a group, or all. */
export function listHelp(commands: readonly Command[], group = ''): string {
  return [
    `${PROGRAM} ${group === '' ? '' : `${group} `}COMMAND`,
    '',
    'Commands:',
    ...aligned(commands.map(({ name, summary }) => [`  ${name}`, summary])),
    '',
    `${PROGRAM} COMMAND --help tells more of one. Exit codes: 0 done, 1 failed, 2 wrong usage.`,
  ].join('\n');
}

function usageOf(command: Command): string {
  const options = Object.entries(command.options).map(([name, { value, required }]) => {
    const usage = `--${name}${value === undefined ? '' : ` ${value}`}`;
    return required ? usage : `[${usage}]`;
  });
  return [command.name, ...command.arguments, ...options].join(' ');
}
