import type { Socket } from 'node:net';

/** Returns the connection of a request. A host that makes requests itself, as one over `fetch` does, may have none. */
export function socketOf({ socket }: { readonly socket?: Socket | null }): Socket | undefined {
  return socket ?? undefined;
}
