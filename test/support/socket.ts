import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type OutgoingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface Listening {
  readonly url: string;
  close(): Promise<void>;
}

/** The server on a free port of this machine. */
export async function listening(server: Server): Promise<Listening> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const close = async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  return { url: `http://127.0.0.1:${port}`, close };
}

/** One that nobody listens on at this moment. */
export async function freePort(): Promise<string> {
  const server = await listening(createServer());
  await server.close();
  return new URL(server.url).port;
}

export interface Wanted {
  readonly method: string;
  readonly path: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string;
}

export interface Sent {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

/** Sends a request as it is, also one that fetch would refuse to send. */
export async function send(url: string, { method, path, headers = {}, body }: Wanted): Promise<Sent> {
  const wanted = request(url, { method, path, headers, agent: false });
  const answered = once(wanted, 'response') as Promise<[IncomingMessage]>;
  wanted.end(body);
  const [answer] = await answered;
  const headersSent = new Headers();
  for (const [name, values = []] of Object.entries(answer.headersDistinct))
    for (const value of values) headersSent.append(name, value);
  return { status: answer.statusCode ?? 0, headers: headersSent, body: await text(answer) };
}

export function portOf({ url }: { readonly url: string }): number {
  return Number(new URL(url).port);
}
