import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An answer of ours, before a faulty server gives it. */
export interface Draft {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly key: string;
  readonly sent: Readonly<Record<string, string | string[] | undefined>>;
  status: number;
  readonly headers: Record<string, string>;
  body: string;
}

/** What is wrong with a server: it changes answers of ours, or what is asked of us. */
export interface Fault {
  readonly name: string;
  /** Words in the title of a check that must notice. */
  readonly noticed: string;
  readonly answer?: (draft: Draft) => unknown;
  /** Another target than the one that was asked for. */
  readonly target?: (target: string) => string;
  readonly header?: (name: string, value: string) => string | undefined;
}

/** Our server at `origin`, with a fault in front of it. */
export async function startFaulty(origin: string, fault: Fault): Promise<{ readonly url: string; close(): void }> {
  const server: Server = createServer(forwarding(origin, fault));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

const OF_THE_CONNECTION = ['connection', 'keep-alive', 'transfer-encoding', 'content-length', 'host', 'expect'];

function forwarding(origin: string, fault: Fault): RequestListener {
  return (request, response) => {
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const { method = 'GET', url = '/' } = request;
      const headers = Object.entries(request.headers).flatMap(([name, value]) => {
        const kept = fault.header === undefined ? String(value) : fault.header(name, String(value));
        return OF_THE_CONNECTION.includes(name) || kept === undefined ? [] : [[name, kept] as [string, string]];
      });
      const answer = await fetch(`${origin}${fault.target?.(url) ?? url}`, {
        method,
        headers,
        redirect: 'manual',
        ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
      });
      const [path = '', query = ''] = url.split('?');
      const draft: Draft = {
        method,
        path,
        query,
        key: request.headers.authorization ?? '',
        sent: request.headers,
        status: answer.status,
        headers: Object.fromEntries(Array.from(answer.headers).filter(([name]) => !OF_THE_CONNECTION.includes(name))),
        body: await answer.text(),
      };
      fault.answer?.(draft);
      response.writeHead(draft.status, draft.headers);
      response.end(draft.status === 304 || draft.status === 204 ? undefined : draft.body);
    })();
  };
}
