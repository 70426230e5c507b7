import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

/** Returns the connection of a request. A host that makes requests itself, as one over `fetch` does, may have none. */
export function socketOf(request: Pick<IncomingMessage, 'socket'>): Socket | undefined {
  return request.socket as Socket | undefined;
}
