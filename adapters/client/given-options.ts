/** What an option may be. */
type OptionType = 'a string' | 'a number' | 'a function' | 'an AbortSignal';

/** The type of each option. */
export type OptionTypes<Options> = Readonly<Record<keyof Options, OptionType>>;

/**
 * Returns the options that are given. One that is undefined, null or an empty text is as if left out.
 * @throws TypeError that names an unknown option and those that are known, or the type that one must have.
 */
export function givenOptions<Options extends object>(
  owner: string,
  options: Options,
  types: OptionTypes<Options>,
): Partial<Options> {
  const known = `it has ${Object.keys(types).join(', ')}`;
  if (typeof options !== 'object' || (options as object | null) === null)
    throw new TypeError(`${owner} takes its options as an object, not as ${typeName(options)}; ${known}`);
  const given = Object.entries(options).filter(([, value]) => (value ?? '') !== '');
  for (const [name, value] of given) {
    if (!Object.hasOwn(types, name)) throw new TypeError(`${owner} has no option ${name}; ${known}`);
    const type = types[name as keyof Options];
    if (!isOf(type, value)) throw new TypeError(`${name} must be ${type}, not ${typeName(value)}`);
  }
  return Object.fromEntries(given) as Partial<Options>;
}

/** Returns the type of a value, as an error names it. */
function typeName(value: unknown): string {
  if (value === null) return 'null';
  if (typeof value !== 'object') return `a ${typeof value}`;
  return Array.isArray(value) ? 'an array' : 'an object';
}

/** A signal of another realm is no `instanceof AbortSignal`. */
function isOf(type: OptionType, value: unknown): boolean {
  return typeName(value) === type || (type === 'an AbortSignal' && typeof (value as AbortSignal).aborted === 'boolean');
}
