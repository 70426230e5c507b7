import { DomainError } from '../../domain/errors.js';
import { decorated } from './decorated.js';

/** Returns the port. Its calls reject as `unavailable` once `isClosed` returns true. */
export function untilClosed<Port extends object>(port: Port, isClosed: () => boolean): Port {
  return decorated(port, {}, (_name, run) => (isClosed() ? Promise.reject(storeClosed()) : run()));
}

function storeClosed(): DomainError {
  return new DomainError('unavailable', 'store-closed', 'the store is closed');
}
