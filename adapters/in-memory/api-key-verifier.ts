import type { Caller } from '../../domain/access.js';
import type { ApiKeyVerifier } from '../../domain/ports.js';

/** Knows the credentials that it was given, whatever they look like: for tests, and for hosts with a fixed few. */
export class InMemoryApiKeyVerifier implements ApiKeyVerifier {
  readonly #callers: ReadonlyMap<string, Caller>;

  /** Takes each credential with its caller. */
  constructor(callers: Iterable<readonly [credential: string, caller: Caller]> = []) {
    this.#callers = new Map(Array.from(callers, ([credential, caller]) => [credential, copyOf(caller)]));
  }

  async verify(credential: string): Promise<Caller | undefined> {
    return this.#callers.get(credential);
  }
}

function copyOf(caller: Caller): Caller {
  return Object.freeze({ ...caller, scopes: Object.freeze([...caller.scopes]) });
}
