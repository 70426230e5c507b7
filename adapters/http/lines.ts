import type { IncomingMessage } from 'node:http';
import { networkOf } from '../../domain/address.js';
import { LRUCache } from 'lru-cache';

/** In characters; what is longer is not remembered. */
const LONGEST = 2 * 1024;

/**
 * In which line requests wait. Who shows a credential that has proved good has a line of their own; all others stand in that of their address,
 * or who makes credentials up would have as many lines as they like.
 */
export class Lines {
  readonly #owners = new LRUCache<string, string>({ max: 10_000 });

  constructor(private readonly addressOf: (request: IncomingMessage) => string) {}

  of(request: IncomingMessage, shown: string): string {
    return this.#owners.get(shown) ?? networkOf(this.addressOf(request));
  }

  /** What was shown has proved good. Its owner, who is asked for only once, has one line however it is written. */
  note(shown: string, owner: () => string): void {
    if (!this.#owners.has(shown) && shown.length <= LONGEST) this.#owners.set(shown, owner());
  }
}
