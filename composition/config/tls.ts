import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import type { Tls } from '../../adapters/http/server/server.js';

/** The paths of two PEM files: a certificate chain and its private key. */
export interface TlsFiles {
  readonly cert: string;
  readonly key: string;
}

/**
 * Reads both files, again whenever they may have changed.
 * @throws Error that says what is wrong with them, and shows nothing of them.
 */
export function readTls({ cert, key }: TlsFiles): Tls {
  const pair = { cert: named('TLS_CERT', cert), key: named('TLS_KEY', key) };
  try {
    createSecureContext(pair);
  } catch {
    throw new Error('TLS_CERT and TLS_KEY must be a certificate and its private key, without a passphrase');
  }
  return pair;
}

function named(variable: string, path: string): Buffer {
  try {
    return readPem(path);
  } catch (error) {
    throw new Error(`${variable} ${(error as Error).message}`);
  }
}

/** @throws Error whose message goes on after the name of the variable. */
export function readPem(path: string): Buffer {
  const content = read(path);
  if (content.includes('-----BEGIN ')) return content;
  throw new Error('must name a PEM file; this one has no PEM block');
}

function read(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch {
    throw new Error('must name a PEM file that can be read');
  }
}
