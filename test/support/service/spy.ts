import { wrapped, type Repositories } from '../repositories.js';

/** The same repositories, which write down the name of each method that is called. */
export function spied(repositories: Repositories): { readonly repositories: Repositories; readonly calls: string[] } {
  const calls: string[] = [];
  return { repositories: wrapped(repositories, (port, name) => recorded(port, name, calls)), calls };
}

function recorded<Target extends object>(target: Target, name: string, calls: string[]): Target {
  return replacing(target, (method, run) => {
    calls.push(`${name}.${method}`);
    return run();
  });
}

/** The same object, whose methods go through a wrapper that may run them or not. */
export function replacing<Target extends object>(
  target: Target,
  wrap: (method: string, run: () => unknown) => unknown,
): Target {
  return new Proxy(target, {
    get: (object, name) => {
      const member: unknown = Reflect.get(object, name, object);
      if (typeof member !== 'function') return member;
      return (...given: unknown[]) => wrap(String(name), () => Reflect.apply(member, object, given) as unknown);
    },
  });
}
