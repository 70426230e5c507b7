import { DomainError } from '../../domain/errors.js';

/** Returns the port. Its calls reject as `unavailable` once `isClosed` returns true. */
export function untilClosed<Port extends object>(port: Port, isClosed: () => boolean): Port {
  return new Proxy(port, {
    get: (target, name) => {
      const method: unknown = Reflect.get(target, name);
      if (typeof method !== 'function') return method;
      return (...values: readonly unknown[]): unknown =>
        isClosed() ? Promise.reject(storeClosed()) : Reflect.apply(method, target, values);
    },
  });
}

function storeClosed(): DomainError {
  return new DomainError('unavailable', 'store-closed', 'the store is closed');
}
