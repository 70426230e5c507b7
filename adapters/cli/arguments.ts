import { parseArgs } from 'node:util';
import { UsageError, type Arguments, type Input, type Options, type Signature } from './signature.js';

interface OptionToken {
  readonly name: string;
  readonly rawName: string;
  readonly value: string | undefined;
  readonly inlineValue: boolean | undefined;
}

/** The words behind a command's name, as its signature wants them. @throws UsageError that says what is allowed. */
export function readInput<Names extends Arguments, Wanted extends Options>(
  signature: Signature<Names, Wanted>,
  words: readonly string[],
): Input<Names, Wanted> {
  const { tokens } = parseArgs({ args: [...words], options: typesOf(signature.options), strict: false, tokens: true });
  const positionals: string[] = [];
  const given = new Map<string, string | boolean>();
  for (const token of tokens)
    if (token.kind === 'positional') positionals.push(token.value);
    else if (token.kind === 'option') readOption(token, signature.options, given);
  checkArguments(positionals, signature.arguments);
  return { arguments: positionals, options: valuesOf(given, signature.options) } as unknown as Input<Names, Wanted>;
}

function typesOf(options: Options): Record<string, { type: 'string' | 'boolean' }> {
  return Object.fromEntries(
    Object.entries(options).map(([name, { value }]) => [name, { type: value === undefined ? 'boolean' : 'string' }]),
  );
}

function readOption(token: OptionToken, options: Options, given: Map<string, string | boolean>): void {
  const option = Object.hasOwn(options, token.name) ? options[token.name] : undefined;
  if (option === undefined) throw unknownOption(token.rawName, options);
  const name = `--${token.name}`;
  if (given.has(token.name)) throw new UsageError(`${name} is given twice`);
  if (option.value === undefined) {
    if (token.value !== undefined) throw new UsageError(`${name} takes no value`);
  } else if (token.value === undefined || (!token.inlineValue && token.value.startsWith('-'))) {
    throw new UsageError(`${name} needs a value; one that starts with a hyphen is written ${name}=${option.value}`);
  }
  given.set(token.name, token.value ?? true);
}

/** Every option with its value: without one, a switch is false and another undefined. */
function valuesOf(given: ReadonlyMap<string, string | boolean>, options: Options): object {
  const values: Record<string, string | boolean | undefined> = {};
  for (const [name, { value, required }] of Object.entries(options)) {
    if (required && !given.has(name)) throw new UsageError(`--${name} ${value ?? ''} is missing`);
    values[name] = given.get(name) ?? (value === undefined ? false : undefined);
  }
  return values;
}

function unknownOption(name: string, options: Options): UsageError {
  const allowed = [...Object.keys(options), 'help'].map((option) => `--${option}`);
  return new UsageError(`there is no option ${name} here; there are ${allowed.join(', ')}`);
}

function checkArguments(given: readonly string[], names: Arguments): void {
  const missing = names[given.length];
  if (missing !== undefined && !missing.startsWith('[')) throw new UsageError(`${missing} is missing`);
  const surplus = given[names.length];
  if (surplus === undefined) return;
  const allowed = names.length === 0 ? 'takes none' : `takes ${names.join(' ')}`;
  throw new UsageError(`the argument "${surplus}" is one too many; this command ${allowed}`);
}
