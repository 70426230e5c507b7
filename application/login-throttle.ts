import { networkOf, SHARED_FACTOR } from '../domain/address.js';
import { signInKey } from '../domain/developer.js';
import type { QueuePlace } from './fair-queue.js';

/** An attempt to sign in. An allowed one counts as a failure until it is settled, so that many at once gain nothing. */
export type LoginAttempt =
  | { readonly allowed: false; readonly retryAfterSeconds: number }
  | {
      readonly allowed: true;
      /** Its place among those that wait: the fewer failures its name and its networks had, the sooner it comes. */
      readonly place: QueuePlace;
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

/** Something whose failures are counted. */
interface Counter {
  readonly key: string;
  /** The failures after which it waits. */
  readonly free: number;
  /** The number of failures that count as one. */
  readonly unit: number;
  /** After this time without a failure, one is forgotten. */
  readonly forgetMs: number;
}

const FREE_PER_NAME = 5;
const FREE_PER_NETWORK = 20;
/** For names that have no failures of their own. */
const FREE_PER_NETWORK_AND_HOUR = 100;
const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const MAX_ENTRIES = 10_000;

/** The options of the throttle. */
export interface LoginThrottleOptions {
  /**
   * Returns whether many people share the address, such as those of an office: its network has limits ten times as
   * high. Default: none is shared.
   */
  readonly isSharedNetwork?: ((address: string) => boolean) | undefined;
}

/**
 * Slows the guessing of passwords, in the memory of one process. It counts failures for each name from each network,
 * and for each network. After 5 failures for a name, or 20 in all, that network waits 1 second, then 2, 4, up to 60;
 * a name without failures of its own waits only once its network has 100 in an hour, so that a colleague who mistypes
 * slows no office. Another network does not wait, so that no owner is locked out. Each minute without a failure forgets
 * one. A sign-in counts for the /56 and the /48 of an IPv6 address, too, as a tenth and a hundredth of a failure: one
 * customer may have 65,536 networks.
 */
export class LoginThrottle {
  readonly #failures = new Map<string, Failures>();
  readonly #isShared: (address: string) => boolean;

  /** Begins without failures. A process has one. */
  constructor({ isSharedNetwork = () => false }: LoginThrottleOptions = {}) {
    this.#isShared = isSharedNetwork;
  }

  /** Counts an attempt to sign in, or refuses it. */
  acquire(name: string, address: string | undefined, at: Date): LoginAttempt {
    const factor = this.#factorOf(address);
    return this.#acquire([...countersOf(name, address, factor), ...wideCountersOf(address, factor)], at.getTime());
  }

  /** Counts a password that someone who is signed in has typed, or refuses it. Guesses of neighbours do not count. */
  acquireChange(name: string, address: string | undefined, at: Date): LoginAttempt {
    return this.#acquire(countersOf(name, address, this.#factorOf(address)), at.getTime());
  }

  /** Forgets the failures of a name from a network, after its owner has proved otherwise who they are. */
  forget(name: string, address: string | undefined): void {
    this.#failures.delete(countersOf(name, address)[0].key);
  }

  #factorOf(address: string | undefined): number {
    return address !== undefined && this.#isShared(address) ? SHARED_FACTOR : 1;
  }

  #acquire(counters: Counters, now: number): LoginAttempt {
    const [pair, network, hourly, ...wide] = counters;
    const isFresh = this.#read(pair, now).count === 0;
    const waitMs = Math.max(
      ...[pair, isFresh ? hourly : network, ...wide].map((counter) => this.#waitMs(counter, now)),
    );
    if (waitMs > 0) return { allowed: false, retryAfterSeconds: Math.ceil(waitMs / SECOND_MS) };
    const failures = [pair, network, ...wide].map((counter) => this.#read(counter, now).count / counter.unit);
    for (const counter of counters)
      this.#store(counter.key, { count: this.#read(counter, now).count + 1, lastAt: now });
    return {
      allowed: true,
      place: { client: network.key, rank: failures.reduce((sum, count) => sum + count, 0) },
      succeeded: () => {
        this.#failures.delete(pair.key);
        for (const { key } of [network, hourly, ...wide]) this.#takeBack(key);
      },
      cancelled: () => {
        for (const { key } of counters) this.#takeBack(key);
      },
    };
  }

  #waitMs(counter: Counter, now: number): number {
    const { count, lastAt } = this.#read(counter, now);
    const excess = count / counter.unit - counter.free;
    return excess < 0 ? 0 : lastAt + Math.min(SECOND_MS * 2 ** excess, MINUTE_MS) - now;
  }

  /** Returns what is still counted. When the clock was set back, the last failure counts as of now. */
  #read({ key, unit, forgetMs }: Counter, now: number): Failures {
    const { count, lastAt } = this.#failures.get(key) ?? { count: 0, lastAt: now };
    if (lastAt > now) this.#store(key, { count, lastAt: now });
    const forgotten = unit * Math.max(0, Math.floor((now - lastAt) / forgetMs));
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

/**
 * That of a name from a network, that of the network for names with failures, that for names without, and those of the
 * networks around it.
 */
type Counters = readonly [Counter, Counter, Counter, ...Counter[]];

/** A host that knows no addresses has one network for all. */
function countersOf(name: string, address = '', factor = 1): Counters {
  const network = networkOf(address);
  const pair = JSON.stringify([network, signInKey(name)]);
  const perHour = FREE_PER_NETWORK_AND_HOUR * factor;
  return [
    { key: pair, free: FREE_PER_NAME, unit: 1, forgetMs: MINUTE_MS },
    { key: network, free: FREE_PER_NETWORK * factor, unit: 1, forgetMs: MINUTE_MS },
    { key: `${network} hourly`, free: perHour, unit: 1, forgetMs: HOUR_MS / perHour },
  ];
}

function wideCountersOf(address = '', factor = 1): readonly Counter[] {
  if (!networkOf(address).includes(':')) return [];
  const free = FREE_PER_NETWORK * factor;
  return [
    { key: networkOf(address, 56), free, unit: 10, forgetMs: MINUTE_MS },
    { key: networkOf(address, 48), free, unit: 100, forgetMs: MINUTE_MS },
  ];
}
