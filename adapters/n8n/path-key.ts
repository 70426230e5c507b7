import type { Context, HttpMiddleware, RequestState } from '../edge/context.js';
import { N8N_PATH } from '../edge/middleware/base-path.js';

interface LibraryState extends RequestState {
  keyInPath?: string | undefined;
}

/** Whatever stands in front of what the editor asks for. */
const KEY = new RegExp(`^${N8N_PATH}/(?!(?:health|templates|workflows)/)([^/?]+)(?=/)`);

/**
 * Takes the key out of a path such as `/n8n/<key>/templates/search`: the editor can carry a credential nowhere else.
 * What is behind it sees the path without the key.
 */
export const takeKeyFromPath: HttpMiddleware = async (ctx, next) => {
  const { url } = ctx;
  const [start = '', key] = KEY.exec(url) ?? [];
  (ctx.state as LibraryState).keyInPath = key;
  if (key !== undefined) ctx.url = N8N_PATH + url.slice(start.length);
  try {
    await next();
  } finally {
    ctx.url = url;
  }
};

/** Returns the key that stood in the path. */
export function keyInPath({ state }: Context): string | undefined {
  return (state as LibraryState).keyInPath;
}
