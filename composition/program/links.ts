import type { AddressInfo } from 'node:net';
import { isSet, type Config } from '../config/config.js';
import { urlForPeople } from '../service/addresses.js';

/** Returns the addresses that people open, by name, and who sees the catalogue. */
export function addressesOf(config: Config, listening: AddressInfo): Readonly<Record<string, string>> {
  const url = urlForPeople(config, listening);
  const { CATALOGUE: catalogue } = config;
  return {
    ...(catalogue !== 'off' && { catalogue: `${url}/catalogue`, catalogueFor: catalogue }),
    ...(config.PANEL && { panel: `${url}/panel` }),
    api: `${url}/api`,
    docs: `${url}/docs`,
  };
}

/** Returns the sign-in link with this token. */
export function welcomeUrl(url: string, token: string): string {
  return `${url}/panel/welcome/${token}`;
}

/** Returns where people reach the service, for a command: what it was given, else the address of the last `serve`. */
export function addressForLinks(config: Config, recorded: string | undefined): string {
  const isGiven = config.PUBLIC_URL !== '' || (isSet(config.environment, 'PORT') && config.PORT !== 0);
  return isGiven || recorded === undefined
    ? urlForPeople(config, { address: config.HOST, port: config.PORT })
    : recorded;
}

/** Returns why a sign-in link that a command prints cannot be opened; undefined when it can. */
export function linkWarning({ PANEL, PUBLIC_URL, PORT }: Config, recorded: string | undefined): string | undefined {
  if (!PANEL) return 'PANEL is off: this link works only when it is on';
  if (PUBLIC_URL === '' && recorded === undefined && PORT === 0)
    return 'PORT is 0, a free port at each start: put the port of the ready line into this link, or set PUBLIC_URL';
  return undefined;
}
