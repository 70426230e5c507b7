import type { AddressInfo, Server } from 'node:net';
import { isSafeForTokens } from '../../adapters/edge/public-url.js';
import type { ServiceConfig } from '../config/service-settings.js';

const WILDCARD_ADDRESSES = ['0.0.0.0', '[::]'];

/** Returns where the service listens. */
export function urlOf(
  { tls }: Pick<ServiceConfig, 'tls'>,
  { address, port }: Pick<AddressInfo, 'address' | 'port'>,
): string {
  return `${tls ? 'https' : 'http'}://${inBrackets(address)}:${port}`;
}

/** Returns where people reach the service that listens there: PUBLIC_URL, else this machine. */
export function urlForPeople(
  config: Pick<ServiceConfig, 'PUBLIC_URL' | 'tls'>,
  listening: Pick<AddressInfo, 'address' | 'port'>,
): string {
  if (config.PUBLIC_URL !== '') return config.PUBLIC_URL;
  const url = new URL(urlOf(config, listening));
  if (WILDCARD_ADDRESSES.includes(url.hostname)) url.hostname = 'localhost';
  return url.origin;
}

/** Returns where people reach a server, once it listens, if tokens may go there: on this machine, or over TLS. */
export function addressForTokens(
  config: Pick<ServiceConfig, 'PUBLIC_URL' | 'tls'>,
  server: Server,
): string | undefined {
  const listening = server.address() ?? undefined;
  if (listening === undefined || typeof listening === 'string') return undefined;
  const url = urlForPeople(config, listening);
  return isSafeForTokens(url) ? url : undefined;
}

/** Returns a host as it stands in a URL (RFC 3986, section 3.2.2). */
function inBrackets(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}
