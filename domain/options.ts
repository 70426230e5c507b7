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

function nounOf(value: unknown): string {
  return value === null || value === undefined ? String(value) : `a ${typeof value}`;
}
