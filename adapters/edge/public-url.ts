import type { IncomingMessage } from 'node:http';
import { isLoopback } from '../../domain/app.js';
import { urlOf } from '../../domain/url.js';
import { isEncrypted } from './middleware/security-headers.js';

/** Hosts that are safe in an address in a shell. */
const HOST = /^[\w.:[\]-]+$/;

/**
 * Returns the start of the service's addresses as the browser sees it, without a path: that of the public URL, else of
 * the request; undefined if the browser sent an unsafe host.
 */
export function publicOrigin(request: IncomingMessage, publicUrl: string): string | undefined {
  if (publicUrl !== '') return new URL(publicUrl).origin;
  const { host = '' } = request.headers;
  return HOST.test(host) ? `${isEncrypted(request) ? 'https' : 'http'}://${host}` : undefined;
}

/**
 * Returns an http or https URL, with a host and perhaps a port and a path, without the final slash; undefined for any
 * other text.
 */
export function parsePublicUrl(text: string): string | undefined {
  const url = urlOf(text);
  if (url === undefined || !/^https?:$/.test(url.protocol)) return undefined;
  if (url.search || url.hash || url.username || url.password) return undefined;
  return (url.origin + url.pathname).replace(/\/+$/, '');
}

/** Returns whether tokens may go to an address: over https, or to this machine. On other ways they can be read. */
export function isSafeForTokens(address: string): boolean {
  return address.startsWith('https:') || isLoopback(address);
}

/** Returns the path of a public URL, which may be empty. */
export function publicPath(url: string): string {
  return url === '' ? '' : new URL(url).pathname.replace(/\/$/, '');
}
