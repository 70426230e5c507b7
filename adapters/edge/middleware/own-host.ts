import type { IncomingMessage } from 'node:http';

/**
 * Returns what operators and clients need to know of a request that was not sent to the host of an address; undefined
 * for one that was. Without a public URL a service has the one address at which it listens.
 */
export function otherHostIn({ headers }: IncomingMessage, address: string): string | undefined {
  const { protocol, host: own } = new URL(address);
  const { host = 'missing' } = headers;
  const sent = `${protocol}//${host}`;
  if (URL.canParse(sent) && new URL(sent).host === own) return undefined;
  return `Host is ${host}, the server has the address ${address}, and PUBLIC_URL is not set`;
}
