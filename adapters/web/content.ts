import { readFile } from 'node:fs/promises';
import { entityTag, sendContent, type Content } from '../edge/conditional.js';
import type { Handler } from '../edge/context.js';

interface Served {
  readonly type: string;
  readonly body: Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Serves a text that is made at the first request and kept. */
export function servesText(
  type: string,
  make: () => string | Promise<string>,
  headers?: Readonly<Record<string, string>>,
): Handler {
  return serves(type, async () => make(), headers);
}

const ASSETS = new URL('./assets/', import.meta.url);

/** Serves a file of a folder, by default `assets/`. It is read at the first request and kept. */
export function servesFile(
  type: string,
  name: string,
  folder: () => Promise<URL | undefined> = async () => ASSETS,
  headers?: Readonly<Record<string, string>>,
): Handler {
  return serves(type, async () => readFile(new URL(name, await folder())), headers);
}

/** Serves what is in memory. Its address has no hash, so browsers ask for it again. */
export function servesContent({ type, body, headers }: Served): Handler {
  return serves(type, async () => body, headers);
}

/** A failure is not kept: the next request tries again. */
function serves(
  type: string,
  load: () => Promise<string | Buffer>,
  headers: Readonly<Record<string, string>> = {},
): Handler {
  let content: Content | undefined;
  return async (ctx) => {
    if (content === undefined) {
      const body = await load();
      content = { body, type, etag: entityTag(body), caching: 'no-cache' };
    }
    ctx.set({ 'Referrer-Policy': 'no-referrer', ...headers });
    sendContent(ctx, content);
  };
}
