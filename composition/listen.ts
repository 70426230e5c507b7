import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import type { Config } from './config.js';

type Place = Pick<Config, 'host' | 'port'>;

/** How many connections may wait to be taken up: a client whose attempt is dropped tries again only after a second. */
const BACKLOG = 4_096;

const WHY_NOT: Readonly<Record<string, string>> = {
  EADDRINUSE: 'PORT is taken by another program on HOST; choose another, or 0 for one that is free',
  EACCES: 'PORT is not for this user, as those below 1024 may be; choose another',
};

/** @throws Error that names the variable that must be another. */
export async function listen(server: Server, { host, port }: Place): Promise<void> {
  server.listen({ port, host, backlog: BACKLOG });
  try {
    await once(server, 'listening');
  } catch (error) {
    throw new Error(WHY_NOT[(error as NodeJS.ErrnoException).code ?? ''] ?? 'HOST must be an address of this machine, or a name of one', { cause: error });
  }
}

/** Listens there for a moment. @throws Error as `listen` does. */
export async function checkPlace(place: Place): Promise<void> {
  const server = createServer((socket) => socket.destroy());
  await listen(server, place);
  await once(server.close(), 'close');
}
