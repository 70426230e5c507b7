import { readFile } from 'node:fs/promises';
import { entityTag, type Content } from '../conditional.js';

/** Gives a content, made or read when it is first wanted. */
export type Source = () => Promise<Content>;

const ASSETS = new URL('../assets/', import.meta.url);

/** A text, made when it is first wanted and kept. */
export function made(type: string, make: () => string): Source {
  return kept(async () => contentOf(type, make()));
}

/** A file from beside the built program, read when it is first wanted and kept. */
export function asset(type: string, name: string): Source {
  return kept(async () => contentOf(type, await readFile(new URL(name, ASSETS))));
}

function contentOf(type: string, body: string | Buffer): Content {
  return { body, type, etag: entityTag(body), caching: 'no-cache' };
}

/** A failure is not kept: the next request tries again. */
function kept(source: Source): Source {
  let content: Content | undefined;
  return async () => (content ??= await source());
}
