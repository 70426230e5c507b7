/** Runs a call of a method, or does something else. Gets the method's name, and what it was called with. */
export type Around = (name: string, run: () => unknown, values: readonly unknown[]) => unknown;

/** Returns the object with some members replaced, and with `around` in front of every other method. */
export function decorated<Target extends object>(
  target: Target,
  members: Partial<Target>,
  around: Around = (_name, run) => run(),
): Target {
  return new Proxy(target, {
    get(_target, name) {
      if (Object.hasOwn(members, name)) return Reflect.get(members, name) as unknown;
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      return (...values: readonly unknown[]) =>
        around(String(name), () => Reflect.apply(member, target, values) as unknown, values);
    },
  });
}
