import type { AddressInfo } from 'node:net';
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

/** Returns a host as it stands in a URL (RFC 3986, section 3.2.2). */
function inBrackets(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}
