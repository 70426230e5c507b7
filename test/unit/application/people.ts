import { parseDeveloperId, type Caller } from '../../../domain/access.js';
import type { Scope } from '../../../domain/scope.js';

export const NOON = Date.UTC(2026, 0, 1, 12);
export const MINUTE = 60_000;
export const DAY = 24 * 60 * MINUTE;

export function caller(developer: string, ...scopes: readonly Scope[]): Caller {
  return { developerId: parseDeveloperId(developer), scopes };
}

export const ada = caller('ada', 'automations:read', 'automations:write');
export const bob = caller('bob', 'automations:read', 'automations:write');
export const reader = caller('ada', 'automations:read');
export const writer = caller('ada', 'automations:write');

/** A clock that stands still until it is set, in milliseconds after noon. */
export class StoppedClock {
  #time = NOON;

  readonly now = (): Date => new Date(this.#time);

  set(milliseconds: number): void {
    this.#time = NOON + milliseconds;
  }
}

/** Ids that count, so that a test knows them. */
export function countingIds(): () => string {
  let count = 0;
  return () => `01900000-0000-7000-8000-${String((count += 1)).padStart(12, '0')}`;
}

/** Lets all that is waiting for nothing but its turn go on. */
export function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
