import { createServer, type Server, type ServerOptions } from 'node:https';
import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import type { OnAnswer } from './exchange.js';
import { Problem } from './problems.js';
import { answerOnSocket } from './raw-socket.js';

/** PEM texts of a certificate chain and its private key. */
export interface Tls {
  readonly cert: Buffer;
  readonly key: Buffer;
}

/** TLS 1.2 and up (RFC 9325). */
export const OLDEST_VERSION = 'TLSv1.2';

/** In milliseconds, for the first byte as for the handshake. */
const HANDSHAKE_TIMEOUT = 5_000;

/** The first byte of a handshake (RFC 8446, section 5.1). */
const HANDSHAKE = 22;

/**
 * Node's HTTPS server, which answers whoever speaks plain HTTP to it with a sentence rather than a broken connection. It is no redirect:
 * the key that was sent in the clear must not seem to have worked.
 */
export function createTlsServer(options: ServerOptions, tls: Tls, listener: RequestListener, onAnswer: OnAnswer): Server {
  const server = createServer({ ...options, ...tls, minVersion: OLDEST_VERSION, handshakeTimeout: HANDSHAKE_TIMEOUT, allowHalfOpen: true }, listener);
  const handshakes = server.listeners('connection') as ((socket: Socket) => void)[];
  server.removeAllListeners('connection');
  server.on('connection', (socket: Socket) => {
    onFirstBytes(socket, (first) => {
      if (first === HANDSHAKE) for (const handshake of handshakes) handshake.call(server, socket);
      else onAnswer(answerOnSocket(socket, new Problem('malformed-request', 'This port speaks HTTPS; begin the address with https://.')));
    });
  });
  return server;
}

/** Looks at the first byte, and leaves it there. A socket that stays silent is closed, and keeps no process from ending. */
function onFirstBytes(socket: Socket, then: (first: number) => void): void {
  const giveUp = () => socket.destroy();
  socket.unref().setTimeout(HANDSHAKE_TIMEOUT, giveUp);
  socket.on('error', giveUp);
  socket.once('readable', () => {
    const bytes = socket.read() as Buffer | null;
    const first = bytes?.[0];
    if (bytes === null || first === undefined) {
      giveUp();
      return;
    }
    socket.off('error', giveUp);
    socket.ref().setTimeout(0).off('timeout', giveUp);
    socket.unshift(bytes);
    then(first);
  });
}
