import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import type { Tls } from '../../adapters/edge/server/server.js';
import type { Logo } from '../../adapters/web/views/brand.js';

/** The paths of two PEM files: a certificate chain and its private key. */
export interface TlsFiles {
  readonly cert: string;
  readonly key: string;
}

const MAX_LOGO_BYTES = 100 * 1024;
const PNG_SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');
/** The element `svg` may follow a byte order mark, an XML declaration, comments and a document type. */
const SVG = /^\uFEFF?\s*(?:<\?xml[^>]*>\s*|<!--[^]*?-->\s*|<!DOCTYPE[^>]*>\s*)*<svg[\s>]/i;

/** @throws Error whose message goes on after the name of the setting. */
export function readNamedFile(path: string, kind = 'a file'): Buffer {
  try {
    return readFileSync(path);
  } catch {
    throw new Error(`must name ${kind} that can be read`);
  }
}

/** @throws Error whose message goes on after the name of the setting. */
export function readPem(path: string): Buffer {
  const content = readNamedFile(path, 'a PEM file');
  if (content.includes('-----BEGIN ')) return content;
  throw new Error('must name a PEM file; this one has no PEM block');
}

/** Checks the PEM file that an option of a connection string names; null where it names none. */
export function checkPem(option: string, path: string | null): void {
  try {
    if (path !== null) readPem(path);
  } catch (error) {
    throw new Error(`must name a PEM file that can be read as ${option}`, { cause: error });
  }
}

/**
 * Reads both files, again whenever they may have changed.
 * @throws Error that says what is wrong with them, and shows nothing of them.
 */
export function readTls({ cert, key }: TlsFiles): Tls {
  const pair = { cert: readPemOf('TLS_CERT', cert), key: readPemOf('TLS_KEY', key) };
  try {
    createSecureContext(pair);
  } catch {
    throw new Error('TLS_CERT and TLS_KEY must be a certificate and its private key, without a passphrase');
  }
  return pair;
}

function readPemOf(setting: string, path: string): Buffer {
  try {
    return readPem(path);
  } catch (error) {
    throw new Error(`${setting} ${(error as Error).message}`, { cause: error });
  }
}

/** @throws Error whose message goes on after the name of the setting. */
export function readLogo(path: string): Logo {
  const body = readNamedFile(path, 'an SVG or PNG file');
  if (body.length > MAX_LOGO_BYTES) throw new Error(`must name a file of at most ${MAX_LOGO_BYTES / 1024} KiB`);
  if (body.subarray(0, PNG_SIGNATURE.length).equals(PNG_SIGNATURE)) return { type: 'image/png', body };
  if (SVG.test(body.toString('utf8'))) return { type: 'image/svg+xml', body };
  throw new Error('must name an SVG or PNG file; this one is neither');
}
