import { LRUCache } from 'lru-cache';

const MAX_BYTES = 32 * 1024 * 1024;

type Make = () => string | Promise<string>;

/**
 * Keeps feeds and sitemaps by their entity tags. All responses with one share its buffer, however slowly clients read,
 * and requests that arrive while it is made wait for it.
 */
export class SharedBodies {
  readonly #bodies = new LRUCache<string, Buffer, Make>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ length }) => length + 1,
    ignoreFetchAbort: true,
    fetchMethod: async (_etag, _stale, { context }) => Buffer.from(await context()),
  });

  get(etag: string, make: Make): Promise<Buffer> {
    return this.#bodies.forceFetch(etag, { context: make });
  }
}
