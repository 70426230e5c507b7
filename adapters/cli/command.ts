import { parseArgs } from 'node:util';
import { nearest } from './nearest.js';
import type { Host } from './session.js';

/** One option of a command. With `value`, its placeholder in the help, it takes a value; else it is a switch. */
interface Option {
  readonly value?: string;
  readonly required?: true;
  readonly summary: string;
}

type Options = Readonly<Record<string, Option>>;

/** Names of arguments, such as `FILE`; an optional one is `[FILE]`. */
type Arguments = readonly string[];

/** A command, for dispatch and help. */
interface Signature<Names extends Arguments = Arguments, Wanted extends Options = Options> {
  /** One or two words, such as `keys issue`. */
  readonly name: string;
  readonly summary: string;
  /** Text that only the help of this command shows. */
  readonly details?: string;
  readonly arguments: Names;
  readonly options: Wanted;
}

type Given<Wanted extends Option> = Wanted extends { readonly value: string }
  ? Wanted extends { readonly required: true }
    ? string
    : string | undefined
  : boolean;

/** The arguments and options that were typed, checked against the signature. */
interface Input<Names extends Arguments, Wanted extends Options> {
  readonly arguments: {
    readonly [Index in keyof Names]: Names[Index] extends `[${string}]` ? string | undefined : string;
  };
  readonly options: { readonly [Name in keyof Wanted]: Given<Wanted[Name]> };
}

/** An entry of the table of commands. */
export interface Command extends Signature {
  /** Runs the command with the words after its name and returns the exit code. */
  run(words: readonly string[], host: Host): Promise<number>;
}

/** A mistake in what was typed: exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** A name that does not exist. Its message ends with a hint already. */
export class UnknownNameError extends UsageError {
  constructor(what: string, suggestion: string | undefined, help: string) {
    const question = suggestion === undefined ? '' : ` Did you mean ${suggestion}?`;
    super(`unknown ${what}.${question} Run ${help} for the list.`);
  }
}

/** Makes a command from its signature and from a function that takes the checked input. */
export function command<const Names extends Arguments, const Wanted extends Options>(
  signature: Signature<Names, Wanted>,
  run: (input: Input<Names, Wanted>, host: Host) => Promise<number>,
): Command {
  return { ...signature, run: async (words, host) => run(parseInput(signature, words), host) };
}

/** @throws UsageError that says what is wrong. */
function parseInput<Names extends Arguments, Wanted extends Options>(
  signature: Signature<Names, Wanted>,
  words: readonly string[],
): Input<Names, Wanted> {
  const types = Object.entries(signature.options).map(([name, { value }]) => {
    return [name, { type: value === undefined ? 'boolean' : 'string' }] as const;
  });
  const { tokens } = parseArgs({ args: [...words], options: Object.fromEntries(types), strict: false, tokens: true });
  const positionals: string[] = [];
  const given = new Map<string, string | boolean>();
  for (const token of tokens)
    if (token.kind === 'positional') positionals.push(token.value);
    else if (token.kind === 'option') addOption(token, signature, given);
  checkArguments(positionals, signature.arguments);
  return { arguments: positionals, options: valuesOf(given, signature.options) } as unknown as Input<Names, Wanted>;
}

interface OptionToken {
  readonly name: string;
  readonly rawName: string;
  readonly value: string | undefined;
  readonly inlineValue: boolean | undefined;
}

function addOption(token: OptionToken, { name: command, options }: Signature, given: Map<string, string | boolean>) {
  const option = Object.hasOwn(options, token.name) ? options[token.name] : undefined;
  if (option === undefined) throw unknownOption(token.rawName, command, options);
  const name = `--${token.name}`;
  if (given.has(token.name)) throw new UsageError(`${name} is given twice`);
  if (option.value === undefined) {
    if (token.value !== undefined) throw new UsageError(`${name} takes no value`);
  } else if (token.value === undefined || (!token.inlineValue && /^-./.test(token.value))) {
    throw new UsageError(`${name} needs a value; one that starts with a hyphen is written ${name}=${option.value}`);
  }
  given.set(token.name, token.value ?? true);
}

function unknownOption(name: string, command: string, options: Options): UsageError {
  const suggestion = nearest(
    name,
    [...Object.keys(options), 'help'].map((option) => `--${option}`),
  );
  return new UnknownNameError(`option ${name}`, suggestion, `${command} --help`);
}

/** Returns a value for every option: without one, false for a switch and else undefined. */
function valuesOf(given: ReadonlyMap<string, string | boolean>, options: Options): object {
  const values: Record<string, string | boolean | undefined> = {};
  for (const [name, { value, required }] of Object.entries(options)) {
    if (required && !given.has(name)) throw new UsageError(`--${name} ${value ?? ''} is missing`);
    values[name] = given.get(name) ?? (value === undefined ? false : undefined);
  }
  return values;
}

function checkArguments(given: readonly string[], names: Arguments): void {
  const missing = names[given.length];
  if (missing !== undefined && !missing.startsWith('[')) throw new UsageError(`${missing} is missing`);
  const surplus = given[names.length];
  if (surplus === undefined) return;
  const allowed = names.length === 0 ? 'no arguments' : names.join(' ');
  throw new UsageError(`unexpected argument "${surplus}"; this command takes ${allowed}`);
}
