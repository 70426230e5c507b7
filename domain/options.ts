/**
 * Checks the names of options. An option whose value is undefined is as if it were left out. The compiler checks that
 * `known` has each name of the type.
 * @throws TypeError that names the function, the option that it does not have, and those that it has.
 */
export function requireOptions<Options extends object>(
  owner: string,
  options: Options,
  known: Readonly<Record<keyof NoInfer<Options>, true>>,
): void {
  const names = Object.keys(known).join(', ');
  if (typeof options !== 'object' || (options as object | null) === null)
    throw new TypeError(`${owner} takes its options as an object, not as ${nounOf(options)}; it has ${names}`);
  const unknown = Object.entries(options).find(([name, value]) => value !== undefined && !Object.hasOwn(known, name));
  if (unknown !== undefined) throw new TypeError(`${owner} has no option ${unknown[0]}; it has ${names}`);
}

/**
 * Checks that a value has the parts that a function needs, each an object or a function.
 * @throws TypeError that names the function, what it takes, and the parts that are missing.
 */
export function requireParts(owner: string, noun: string, value: unknown, parts: readonly string[]): void {
  const takes = `${owner} takes ${noun}, an object${parts.length === 0 ? '' : ` with ${parts.join(', ')}`}`;
  if (!isObject(value)) throw new TypeError(`${takes}, not ${value === '' ? 'an empty text' : nounOf(value)}`);
  const missing = parts.filter((name) => !isObject(Reflect.get(value, name)));
  if (missing.length > 0) throw new TypeError(`${takes}; there is no ${missing.join(', ')}`);
}

function isObject(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}

function nounOf(value: unknown): string {
  return value === null || value === undefined ? String(value) : `a ${typeof value}`;
}
