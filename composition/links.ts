import type { AddressInfo } from 'node:net';
import type { Config } from './config.js';

/** Where the service listens; of one that does not yet, where it is told to. */
export function urlOf({ tls, host, port }: Config, listening?: AddressInfo): string {
  return `${tls ? 'https' : 'http'}://${inBrackets(listening?.address ?? host)}:${listening?.port ?? port}`;
}

/** The panel's page for the token of a welcome link; the URL is where people reach the service. */
export function welcomeUrl(url: string, token: string): string {
  return `${url}/panel/welcome/${token}`;
}

/** As an IPv6 address stands in a URL (RFC 3986, section 3.2.2). */
function inBrackets(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}
