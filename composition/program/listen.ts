import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import type { Config } from '../config/config.js';

type Place = Pick<Config, 'HOST' | 'PORT'>;

/**
 * The number of connections that may wait to be accepted: a client whose attempt is dropped tries again only after a
 * second.
 */
const BACKLOG = 4_096;

const REASONS: Readonly<Record<string, (place: Place) => string>> = {
  EADDRINUSE: ({ HOST, PORT }) =>
    `PORT ${PORT} is taken by another program on ${HOST}; choose another, or 0 for a free one`,
  EACCES: ({ PORT }) => `this user may not listen on PORT ${PORT} (ports below 1024 usually need root)`,
};

/** @throws Error that names the variable to change. */
export async function listen(server: Server, place: Place): Promise<void> {
  server.listen({ host: place.HOST, port: place.PORT, backlog: BACKLOG });
  try {
    await once(server, 'listening');
  } catch (error) {
    const reason = REASONS[(error as NodeJS.ErrnoException).code ?? '']?.(place);
    throw new Error(reason ?? 'HOST must be an address or a name of this machine', { cause: error });
  }
}

/** Listens there for a moment. @throws Error as `listen` does. */
export async function checkPlace(place: Place): Promise<void> {
  const server = createServer((socket) => socket.destroy());
  await listen(server, place);
  await once(server.close(), 'close');
}
