import { networkOf } from '../domain/address.js';
import { signInKey } from '../domain/developer.js';

/** An attempt to sign in. An allowed one counts as a failure until it is settled, so that many at once gain nothing. */
export type LoginAttempt =
  | { readonly allowed: false; readonly retryAfterSeconds: number }
  | {
      readonly allowed: true;
      /** Forgets the failures of this name from this network. */
      readonly succeeded: () => void;
      /** Takes this attempt back: it is unknown whether the password was right. */
      readonly cancelled: () => void;
    };

interface Failures {
  readonly count: number;
  /** Milliseconds. */
  readonly lastAt: number;
}

const FREE_PER_NAME = 5;
const FREE_PER_NETWORK = 20;
const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const MAX_ENTRIES = 10_000;

/**
 * Slows the guessing of passwords, in the memory of one process. It counts failures for each name from each network,
 * and for each network. After 5 failures for a name, or 20 in all, that network waits 1 second, then 2, 4, up to 60.
 * Another network does not wait, so that no owner is locked out. Each minute without a failure forgets one.
 */
export class LoginThrottle {
  readonly #failures = new Map<string, Failures>();

  /** Counts an attempt, or refuses it. */
  acquire(name: string, address: string | undefined, at: Date): LoginAttempt {
    const now = at.getTime();
    const { pair, network } = keysOf(name, address);
    const waitMs = Math.max(this.#waitMs(pair, FREE_PER_NAME, now), this.#waitMs(network, FREE_PER_NETWORK, now));
    if (waitMs > 0) return { allowed: false, retryAfterSeconds: Math.ceil(waitMs / SECOND_MS) };
    for (const key of [pair, network]) this.#store(key, { count: this.#read(key, now).count + 1, lastAt: now });
    return {
      allowed: true,
      succeeded: () => {
        this.#failures.delete(pair);
        this.#takeBack(network);
      },
      cancelled: () => {
        for (const key of [pair, network]) this.#takeBack(key);
      },
    };
  }

  /** Forgets the failures of a name from a network, after its owner has proved otherwise who they are. */
  forget(name: string, address: string | undefined): void {
    this.#failures.delete(keysOf(name, address).pair);
  }

  #waitMs(key: string, free: number, now: number): number {
    const { count, lastAt } = this.#read(key, now);
    return count < free ? 0 : lastAt + Math.min(SECOND_MS * 2 ** (count - free), MINUTE_MS) - now;
  }

  /** Returns what is still counted. When the clock was set back, the last failure counts as of now. */
  #read(key: string, now: number): Failures {
    const { count, lastAt } = this.#failures.get(key) ?? { count: 0, lastAt: now };
    if (lastAt > now) this.#store(key, { count, lastAt: now });
    const forgotten = Math.max(0, Math.floor((now - lastAt) / MINUTE_MS));
    return { count: Math.max(0, count - forgotten), lastAt: Math.min(lastAt, now) };
  }

  #store(key: string, failures: Failures): void {
    this.#failures.delete(key);
    this.#failures.set(key, failures);
    const [oldest = ''] = this.#failures.keys();
    if (this.#failures.size > MAX_ENTRIES) this.#failures.delete(oldest);
  }

  #takeBack(key: string): void {
    const failures = this.#failures.get(key);
    if (failures !== undefined) this.#failures.set(key, { ...failures, count: Math.max(0, failures.count - 1) });
  }
}

/** A host that knows no addresses has one network for all. */
function keysOf(name: string, address = ''): { readonly pair: string; readonly network: string } {
  const network = networkOf(address);
  return { pair: JSON.stringify([network, signInKey(name)]), network };
}
