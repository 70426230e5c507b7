import type { AddressInfo } from 'node:net';
import type { Config } from './config.js';

/** Where the service listens; of one that does not yet, where it is told to. */
export function urlOf({ tls, host, port }: Config, listening?: AddressInfo): string {
  return `${tls ? 'https' : 'http'}://${inBrackets(listening?.address ?? host)}:${listening?.port ?? port}`;
}

/** Where people reach the service: people on this machine, when nothing tells how others do. */
export function urlForPeople(config: Config, listening?: AddressInfo): string {
  if (config.publicUrl !== '') return config.publicUrl;
  const url = new URL(urlOf(config, listening));
  if (EVERY_ADDRESS.includes(url.hostname)) url.hostname = 'localhost';
  return url.origin;
}

const EVERY_ADDRESS = ['0.0.0.0', '[::]'];

/** The panel's page for the token of a welcome link; the URL is where people reach the service. */
export function welcomeUrl(url: string, token: string): string {
  return `${url}/panel/welcome/${token}`;
}

/** Why a link that a command prints cannot be opened, while no service listens to tell its port; undefined when it can. */
export function whyLinkIsDead({ panel, publicUrl, port }: Config): string | undefined {
  if (!panel) return 'PANEL is off: this link opens nothing while it is';
  if (publicUrl === '' && port === 0) return 'PORT is 0, a free one at each start: this link needs the port of the ready line, or PUBLIC_URL set';
  return undefined;
}

/** As an IPv6 address stands in a URL (RFC 3986, section 3.2.2). */
function inBrackets(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}
