import { DomainError } from '../../domain/errors.js';
import { decorated } from './decorated.js';
import { requireParts } from '../../domain/options.js';

/** Returns the port. Its calls reject as `unavailable` once `isClosed` returns true. */
export function untilClosed<Port extends object>(port: Port, isClosed: () => boolean): Port {
  requireParts('untilClosed', 'a port', port, []);
  const newClosed = () => new DomainError('unavailable', 'store-closed', 'the store is closed');
  return decorated(port, {}, (_name, run) => (isClosed() ? Promise.reject(newClosed()) : run()));
}
