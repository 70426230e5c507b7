import { lookup as lookUp, type LookupAddress } from 'node:dns';
import type { IncomingMessage } from 'node:http';
import { Agent, get, type RequestOptions } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { Readable } from 'node:stream';
import { isLoopback } from '../../domain/app.js';
import { isPublicAddress } from './public-addresses.js';

/**
 * Returns a `fetch` for addresses that strangers name. It reads https on port 443 of public servers alone, and rejects
 * for every other address before a connection is made: also when one of the addresses of a name is not public. The
 * connection goes to the addresses that were checked. It follows no redirect, and rejects for a status other than 200.
 */
export function publicFetch(isPublic = isPublicAddress, options: RequestOptions = {}): typeof globalThis.fetch {
  const lookup = publicLookup(isPublic, options.lookup ?? lookUp);
  // An agent of its own: that of Node may lead to a proxy, which looks names up itself.
  const agent = new Agent();
  return async (input, { headers, signal } = {}) => {
    const url = new URL(input instanceof Request ? input.url : input);
    requirePublic(url, isPublic);
    const sent = Object.fromEntries(new Headers(headers));
    const request = { ...options, lookup, agent, headers: sent, ...(signal && { signal }) };
    const answered = await new Promise<IncomingMessage>((resolve, reject) => {
      get(url, request, resolve)
        .on('error', reject)
        .on('close', () => reject(new Error('the connection ended without an answer')));
    });
    return responseOf(answered);
  };
}

function requirePublic(url: URL, isPublic: (address: string) => boolean): void {
  const { protocol, port, hostname, href } = url;
  if (protocol !== 'https:' || port !== '') throw new Error(`${href} is not https on port 443`);
  const address = hostname.replace(/^\[(.*)\]$/, '$1');
  if (isLoopback(href) || (isIP(address) !== 0 && !isPublic(address))) throw notPublic(hostname);
}

function publicLookup(isPublic: (address: string) => boolean, resolve: LookupFunction): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, found) => {
      const addresses = error === null ? (found as readonly LookupAddress[]) : [];
      const [first] = addresses;
      if (first === undefined) callback(error ?? new Error(`${hostname} has no address`), []);
      else if (!addresses.every(({ address }) => isPublic(address))) callback(notPublic(hostname), []);
      else if (options.all === true) callback(null, [...addresses]);
      else callback(null, first.address, first.family);
    });
  };
}

function notPublic(hostname: string): Error {
  return new Error(`${hostname} is not at a public address`);
}

function responseOf(message: IncomingMessage): Response {
  const { statusCode, headers } = message;
  if (statusCode !== 200) {
    message.destroy();
    throw new Error(`the answer has the status ${statusCode}, not 200`);
  }
  const texts = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]);
  return new Response(Readable.toWeb(message) as ReadableStream<Uint8Array>, { headers: texts });
}
