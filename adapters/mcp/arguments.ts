import { Problem, truncate, type ProblemField } from '../edge/problems/problem.js';
import { withoutNull } from './messages.js';

/** The arguments of a call, unchecked. */
export type Arguments = Readonly<Record<string, unknown>>;

/** The schema of the arguments of a tool. */
export interface ObjectSchema {
  readonly type: 'object';
  readonly required?: readonly string[];
  readonly properties: Readonly<Record<string, ValueSchema>>;
}

interface ValueSchema {
  readonly type: ValueType;
  readonly minimum?: number;
  readonly maximum?: number;
}

type ValueType = 'string' | 'boolean' | 'number' | 'integer' | 'array' | 'object';

export interface NullableSchema {
  readonly type: ValueType | readonly [ValueType, 'null'];
}

const MAX_ARGUMENTS = 50;
const NOT_ALLOWED = 'The call has arguments that are not allowed.';

/** Returns the arguments that were sent; null is as if left out. @throws Problem when there are too many. */
export function argumentsOf(sent: Arguments): Arguments {
  const count = Object.keys(sent).length;
  if (count <= MAX_ARGUMENTS) return withoutNull(sent);
  throw new Problem('invalid-query', `A call must have at most ${MAX_ARGUMENTS} arguments; this one has ${count}.`);
}

/**
 * Returns the arguments that have the type of their schema, and every mistake in names and types. An empty text for an
 * optional argument is as if left out. Other rules are the core's to judge.
 */
export function checkArguments(
  sent: Arguments,
  { properties, required = [] }: ObjectSchema,
): { readonly values: Arguments; readonly errors: readonly ProblemField[] } {
  const errors = unknownArguments(sent, Object.keys(properties));
  const values: Record<string, unknown> = {};
  for (const [parameter, schema] of Object.entries(properties)) {
    const isRequired = required.includes(parameter);
    const value = Object.hasOwn(sent, parameter) ? sent[parameter] : undefined;
    const isMissing = value === undefined || (value === '' && !isRequired);
    const mistake = isMissing ? isRequired && MISSING : mistakeIn(value, schema);
    if (mistake) errors.push({ parameter, ...mistake });
    else if (!isMissing) values[parameter] = value;
  }
  return { values, errors };
}

/** Returns the problem of a call with these mistakes. */
export function invalidCall(errors: readonly ProblemField[]): Problem {
  return new Problem('invalid-query', NOT_ALLOWED, { errors });
}

/** Returns what is wrong with the type of a value, with both types by name; undefined when nothing is. */
export function typeMistake(value: unknown, { type }: ValueSchema): Mistake | undefined {
  const came = Array.isArray(value) ? 'array' : typeof value;
  if (came === (type === 'integer' ? 'number' : type)) return undefined;
  return { code: 'wrong-type', detail: `must be ${article(type)}, not ${article(came)}` };
}

type Mistake = Pick<ProblemField, 'code' | 'detail'>;
const MISSING: Mistake = { code: 'required', detail: 'is required' };

function mistakeIn(value: unknown, schema: ValueSchema): Mistake | undefined {
  return typeMistake(value, schema) ?? (schema.type === 'integer' ? rangeMistake(Number(value), schema) : undefined);
}

function rangeMistake(value: number, { minimum = 0, maximum }: ValueSchema): Mistake | undefined {
  if (Number.isSafeInteger(value) && value >= minimum && value <= (maximum ?? value)) return undefined;
  const range = maximum === undefined ? `, ${minimum} or more` : ` from ${minimum} to ${maximum}`;
  return { code: 'out-of-range', detail: `must be an integer${range}` };
}

function article(noun: string): string {
  return `${/^[aio]/.test(noun) ? 'an' : 'a'} ${noun}`;
}

function unknownArguments(sent: Arguments, names: readonly string[]): ProblemField[] {
  const detail = `is unknown; allowed are ${names.join(', ')}`;
  return Object.keys(sent)
    .filter((name) => !names.includes(name))
    .map((name) => ({ parameter: truncate(name), code: 'unknown-parameter', detail }));
}
