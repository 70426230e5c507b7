import { LRUCache } from 'lru-cache';

/** Which forms were sent to this process, by what names each: a page that is loaded again sends its form again, and must not do again what it did. */
export class SentForms {
  readonly #names = new LRUCache<string, true>({ max: 10_000 });

  /** Does what a form asks for and answers what came of it; undefined, with nothing done, when that was done before or is being done. A form without a name is always new. */
  async once<Result>(name: string, act: () => Promise<Result>): Promise<Result | undefined> {
    if (this.#names.has(name)) return undefined;
    if (name !== '') this.#names.set(name, true);
    try {
      return await act();
    } catch (error) {
      this.#names.delete(name);
      throw error;
    }
  }
}
