import type { Server } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { ENDING } from './server.js';

/** In milliseconds: how long requests in flight may take once nobody new is let in. */
const LAST_REQUESTS = 4_000;

/**
 * Stops a server of `createHttpServer` without an error at any client: for some seconds it goes on answering, and asks each client to close
 * its connection; then it lets nobody in, waits for the requests in flight, and cuts what is left.
 */
export async function drain(server: Server, seconds: number): Promise<void> {
  server.emit(ENDING);
  await setTimeout(seconds * 1000);
  const closed = new Promise((resolve) => server.close(resolve));
  const idle = setInterval(() => server.closeIdleConnections(), 50);
  await Promise.race([closed, setTimeout(LAST_REQUESTS, undefined, { ref: false })]);
  clearInterval(idle);
  server.closeAllConnections();
}
