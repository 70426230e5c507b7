import { isUuid } from '../domain/uuid.js';
import { newUuid, now as machineTime } from './defaults.js';

/** Returns a host's clock, or that of the machine. @throws TypeError, also at each call, when it tells no time. */
export function clockOf(now: (() => Date) | undefined): () => Date {
  if (now === undefined) return machineTime;
  requireFunction('now', now, 'a Date');
  const clock = () => {
    const at = now();
    if (!isTime(at)) throw new TypeError(`now must return a Date that has a time, not ${String(at)}`);
    return at;
  };
  clock();
  return clock;
}

/** Returns a host's source of ids, or UUIDs of version 7. @throws TypeError, also at each call that makes no UUID. */
export function idsOf(newId: (() => string) | undefined): () => string {
  if (newId === undefined) return newUuid;
  requireFunction('newId', newId, 'a new UUID in lower case');
  return () => {
    const id = newId();
    if (typeof id !== 'string' || !isUuid(id)) throw new TypeError(`newId must make UUIDs in lower case, not ${id}`);
    return id;
  };
}

/** @throws TypeError when a host's source of ids makes no UUID, or the same one twice. It makes two for this. */
export function requireNewIds(newId: (() => string) | undefined): void {
  const ids = idsOf(newId);
  const [one, other] = [ids(), ids()];
  if (one === other) throw new TypeError(`newId must make a new UUID at each call; it made ${one} twice`);
}

function requireFunction(name: string, value: unknown, result: string): void {
  if (typeof value !== 'function') throw new TypeError(`${name} must be a function that returns ${result}`);
}

/** A Date of another realm, as under Jest, is one, too. */
function isTime(value: unknown): boolean {
  const { getTime } = (value ?? {}) as Partial<Date>;
  return typeof getTime === 'function' && Number.isFinite(getTime.call(value));
}
