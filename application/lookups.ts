import { remember } from '../domain/remember.js';

/** For how long what a store answered is believed. */
export interface CachingOptions {
  /** How long an answer is believed without asking the store; 0 asks every time. */
  readonly seconds?: number;
  /** In milliseconds, from any start; for tests. */
  readonly clock?: () => number;
}

interface Looked<Value> {
  /** Undefined when there was none. */
  readonly value: Value | undefined;
  readonly until: number;
}

/** Remembers what a store answered, also that it has none, for 5 seconds unless told otherwise, from when it was asked. */
export class Lookups<Value> {
  readonly #looked = new Map<string, Looked<Value>>();
  readonly #lifetime: number;
  readonly #clock: () => number;
  readonly #asking = new Map<string, Promise<Value | undefined>>();

  constructor(options: CachingOptions) {
    this.#lifetime = (options.seconds ?? 5) * 1000;
    this.#clock = options.clock ?? (() => performance.now());
  }

  async find(name: string, ask: () => Promise<Value | undefined>): Promise<Value | undefined> {
    const looked = this.#looked.get(name);
    if (looked !== undefined && this.#clock() < looked.until) return looked.value;
    if (this.#lifetime === 0) return ask();
    return this.#asking.get(name) ?? this.#ask(name, ask);
  }

  /** Whoever else wants to know meanwhile is told the same. */
  #ask(name: string, ask: () => Promise<Value | undefined>): Promise<Value | undefined> {
    const until = this.#clock() + this.#lifetime;
    const isAsked = () => this.#asking.get(name) === asking;
    const asking = ask()
      .then((value) => {
        if (isAsked()) remember(this.#looked, name, { value, until });
        return value;
      })
      .finally(() => {
        if (isAsked()) this.#asking.delete(name);
      });
    this.#asking.set(name, asking);
    return asking;
  }

  /** Puts another value in the place of the one that is remembered by this name, for as long as that would have been. */
  update(name: string, change: (value: Value) => Value): void {
    const looked = this.#looked.get(name);
    if (looked?.value !== undefined) this.#looked.set(name, { ...looked, value: change(looked.value) });
  }

  /** Also what is being looked up meanwhile is not remembered: it may be what was so before. */
  async forgettingAll<Answer>(change: Promise<Answer>): Promise<Answer> {
    try {
      return await change;
    } finally {
      this.#looked.clear();
      this.#asking.clear();
    }
  }
}
