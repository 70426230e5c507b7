import { networkOf } from '../domain/address.js';
import { signInKey } from '../domain/developer.js';
import { remember } from '../domain/remember.js';
import { later } from './defaults.js';

/** Whether an attempt to sign in may be looked at: not for so many seconds, or now. */
export type Pace =
  | { readonly seconds: number }
  | {
      /** Takes back that the attempt counts as a failure, and knows the address from now on. */
      readonly succeeded: () => void;
      /** Takes back that it counts as a failure: whether it was one could not be told. */
      readonly undecided: () => void;
    };

interface Failures {
  readonly count: number;
  /** When the last one was, in milliseconds. */
  readonly at: number;
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const FREE = 5;
const MOST_COUNTED = 20;
const LONGEST_REFUSAL = MINUTE;
const LONGEST_HOLD = 8 * SECOND;
/** Far fewer than may be under way at once, or attempts that are held would keep others out. */
const MOST_HELD = 200;

/**
 * Slows the guessing of passwords, in the memory of one process, without locking anybody out:
 * - An address that failed more than 5 times is refused for 1 second, then 2, 4 and so on up to a minute.
 * - An account, there or not, at which others failed more than 5 times is never refused: an attempt is held for 1 second, then 2, 4 and 8, and then looked at.
 * - An address from which the account was signed in to before counts for itself and this account alone. So neither strangers elsewhere
 *   nor a neighbour behind the same address who tries other accounts keep its owner waiting.
 * Each minute without a failure forgets one. An attempt is a failure from its start on until it succeeds, so that many at once gain nothing.
 */
export class SignInPace {
  readonly #failures = new Map<string, Failures>();
  readonly #known = new Map<string, true>();
  #held = 0;

  /** `wait` resolves after so many milliseconds; by the timer of the machine, unless told otherwise. */
  constructor(private readonly wait: (milliseconds: number) => Promise<void> = later) {}

  /** Resolves when the attempt may be looked at, or may not. */
  async attempt(name: string, address: string | undefined, at: Date): Promise<Pace> {
    const { pair, network, account } = placesOf(name, address);
    const isKnown = this.#known.has(pair);
    const refusal = this.#refusalAt(isKnown ? pair : network, at.getTime());
    if (refusal > 0) return { seconds: Math.ceil(refusal / SECOND) };
    const hold = isKnown ? 0 : Math.min(pauseAfter(this.#countAt(account, at.getTime())), LONGEST_HOLD);
    if (hold > 0 && this.#held >= MOST_HELD) return { seconds: LONGEST_HOLD / SECOND };
    const places = isKnown ? [pair] : [network, account];
    for (const place of places) this.#count(place, at.getTime());
    if (hold > 0) await this.#hold(hold);
    return { succeeded: () => this.#succeed(pair, places), undecided: () => this.#takeAllBack(places) };
  }

  /** Notes an address from which somebody showed by other means that the account is theirs. */
  know(name: string, address: string | undefined): void {
    remember(this.#known, placesOf(name, address).pair, true);
  }

  /** Takes back what this attempt counted, and nothing else: signing in to one's own account buys no guesses at another. */
  #succeed(pair: string, places: readonly string[]): void {
    this.#takeAllBack(places);
    remember(this.#known, pair, true);
  }

  #takeAllBack(places: readonly string[]): void {
    for (const place of places) this.#takeBack(place);
  }

  async #hold(milliseconds: number): Promise<void> {
    this.#held += 1;
    try {
      await this.wait(milliseconds);
    } finally {
      this.#held -= 1;
    }
  }

  /** From now on, when the clock was set back meanwhile. */
  #refusalAt(place: string, now: number): number {
    const failures = this.#failures.get(place);
    if (failures === undefined) return 0;
    const at = Math.min(failures.at, now);
    this.#failures.set(place, { ...failures, at });
    return at + Math.min(pauseAfter(this.#countAt(place, now)), LONGEST_REFUSAL) - now;
  }

  #countAt(place: string, now: number): number {
    const { count, at } = this.#failures.get(place) ?? { count: 0, at: now };
    return Math.max(0, count - Math.floor(Math.max(0, now - at) / MINUTE));
  }

  #count(place: string, at: number): void {
    remember(this.#failures, place, { count: Math.min(this.#countAt(place, at) + 1, MOST_COUNTED), at });
  }

  /** Whatever else was counted there since. */
  #takeBack(place: string): void {
    const failures = this.#failures.get(place);
    if (failures === undefined) return;
    if (failures.count > 1) this.#failures.set(place, { ...failures, count: failures.count - 1 });
    else this.#failures.delete(place);
  }
}

/** In milliseconds. */
function pauseAfter(failures: number): number {
  return failures < FREE ? 0 : SECOND * 2 ** (failures - FREE);
}

/** A host that knows no addresses has one for all, which is never refused for longer than any other. */
function placesOf(name: string, address = '') {
  const [account, network] = [`account ${signInKey(name)}`, `network ${networkOf(address)}`];
  return { account, network, pair: `${network} ${account}` };
}
