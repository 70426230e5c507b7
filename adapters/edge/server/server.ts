import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { SERVER_OPTIONS } from './protect-server.js';

/** PEM texts of a certificate chain and its private key. */
export interface Tls {
  readonly cert: Buffer;
  readonly key: Buffer;
}

/** The oldest version of TLS (RFC 9325). */
export const MIN_TLS_VERSION = 'TLSv1.2';

const HANDSHAKE_TIMEOUT_MS = 5_000;

/** Returns a server that does not listen yet; with a certificate it speaks TLS 1.2 and later. */
export function createHttpServer(listener?: RequestListener, tls?: Tls): Server {
  if (tls === undefined) return createServer(SERVER_OPTIONS, listener);
  const limits = { minVersion: MIN_TLS_VERSION, handshakeTimeout: HANDSHAKE_TIMEOUT_MS } as const;
  return createTlsServer({ ...SERVER_OPTIONS, ...tls, ...limits }, listener);
}
