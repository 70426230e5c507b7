/** The command line. The composition root hands in the words that were typed and what the commands need. */
import { DomainError } from '../../domain/errors.js';
import { audit } from './audit.js';
import { automationCommands } from './automations.js';
import { categoryCommands } from './categories.js';
import { backup } from './backup.js';
import type { Command } from './command.js';
import { conformance } from './conformance.js';
import { developerCommands } from './developers.js';
import { whyOf } from './fate.js';
import { commandHelp, commandOf, listHelp, PROGRAM } from './help.js';
import { DONE, FAILED, say, WRONG_USAGE, type Host, type Output } from './host.js';
import { messageOf } from './json-input.js';
import { keyCommands } from './keys.js';
import { serve } from './serve.js';
import { UsageError } from './signature.js';

export { isTaken } from './host.js';
export type { Host, Missing, Output, Session, Terminal } from './host.js';

/** Every command there is; dispatch and help are made from it. */
const COMMANDS: readonly Command[] = [
  serve,
  ...keyCommands,
  ...developerCommands,
  ...categoryCommands,
  ...automationCommands,
  audit,
  backup,
  conformance,
];

/** Runs the command that the words name and answers the exit code: 0 done, 1 failed, 2 wrong usage. Never rejects. */
export async function runCli(words: readonly string[], host: Host): Promise<number> {
  try {
    return await dispatch(words, host);
  } catch (error) {
    if (!isWrongUsage(error)) return fail(error, host.stderr);
    const place = [PROGRAM, commandOf(words, COMMANDS)?.name ?? groupOf(words), '--help'].filter((word) => word !== '');
    say(host.stderr, `${whyOf(error)}; see ${place.join(' ')}`);
    return WRONG_USAGE;
  }
}

/** What a command hands to the core as it was typed is a mistake of the one who typed it where it breaks a rule. */
function isWrongUsage(error: unknown): error is Error {
  return error instanceof UsageError || (error instanceof DomainError && error.kind === 'invalid');
}

async function dispatch(words: readonly string[], host: Host): Promise<number> {
  const [first, ...rest] = words;
  if (first === '--version' && host.version !== undefined) return print(host.version, host.stdout);
  if (first === 'help') return print(helpOf(rest), host.stdout);
  if (asksForHelp(words)) return print(helpOf(words), host.stdout);
  const command = commandOf(words, COMMANDS);
  if (command === undefined) throw unknownCommand(words);
  return command.run(words.slice(command.name.split(' ').length), host);
}

function print(text: string, stdout: Output): number {
  for (const line of text.split('\n')) say(stdout, line);
  return DONE;
}

function fail(error: unknown, stderr: Output): number {
  for (const line of messageOf(error).split('\n')) say(stderr, line);
  return FAILED;
}

function asksForHelp(words: readonly string[]): boolean {
  const end = words.indexOf('--');
  return words.slice(0, end < 0 ? undefined : end).some((word) => word === '--help' || word === '-h');
}

/** The help of the command or the group that the words name; without words, of all. */
function helpOf(words: readonly string[]): string {
  const command = commandOf(words, COMMANDS);
  if (command !== undefined) return commandHelp(command);
  const group = groupOf(words);
  if (group === '' && words[0] !== undefined && !words[0].startsWith('-')) throw unknownCommand(words);
  return listHelp(membersOf(group), group);
}

/** The first word, if there are commands that start with it. */
function groupOf([word = '']: readonly string[]): string {
  return membersOf(word).length > 0 ? word : '';
}

function membersOf(group: string): readonly Command[] {
  return group === '' ? COMMANDS : COMMANDS.filter(({ name }) => name.startsWith(`${group} `));
}

function unknownCommand(words: readonly string[]): UsageError {
  const group = groupOf(words);
  const members = [...membersOf(group).map(({ name }) => name), ...(group === '' ? ['help'] : [])];
  const wanted = words[group === '' ? 0 : 1];
  const mistake = wanted === undefined ? 'a command is missing' : nothingCalled(`${group} ${wanted}`.trim(), wanted);
  return new UsageError(`${mistake}; there are ${members.join(', ')}`);
}

function nothingCalled(name: string, word: string): string {
  return `there is no ${word.startsWith('-') ? 'option' : 'command'} "${name}"`;
}
