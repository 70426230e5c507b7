import Router from '@koa/router';
import { expect } from 'chai';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import type { RequestState } from '../../../adapters/edge/context.js';
import { clientAddress } from '../../../adapters/edge/middleware/client-address.js';
import { Overload } from '../../../adapters/edge/middleware/overload.js';
import { newPageApp } from '../../../adapters/web/page-app.js';
import { PageQuota } from '../../../adapters/web/page-quota.js';
import { listening, portOf, send, type Listening } from '../../support/socket.js';

/** More than the buffers of a connection hold. */
const BODY = Buffer.alloc(7 * 1024 * 1024, 'x');
const BODIES_OF_CLIENT = 2;
const BODIES_OF_ALL = 9;

describe('Clients that do not read', () => {
  let server: Listening;
  let overload: Overload;
  let sockets: Socket[];

  beforeEach(async () => {
    sockets = [];
    // However busy the machine is that runs the test, the usual limits count.
    overload = new Overload(Infinity);
    const pages = new Router<RequestState>().all('/', async (ctx) => {
      ctx.set('ETag', '"page"');
      ctx.body = BODY;
    });
    const options = {
      mountPath: '',
      publicUrl: '',
      base: '',
      onError: () => undefined,
      onRequestCompleted: () => undefined,
      pageFor: (_: unknown, { slug }: { slug: string }) => slug,
      isSharedNetwork: () => false,
      addressOf: (request: Parameters<typeof clientAddress>[0]) => clientAddress(request, 1),
      quota: new PageQuota('off'),
      files: new Router<RequestState>(),
      notFound: () => {
        throw new Error('there is one page');
      },
    };
    const handle = newPageApp({ ...options, pages }, overload).callback();
    server = await listening(createServer((request, response) => void handle(request, response)));
  });
  afterEach(async () => {
    for (const socket of sockets) socket.destroy();
    await server.close();
  });

  const ask = (address: string, method = 'GET') =>
    send(server.url, { method, path: '/', headers: { 'X-Forwarded-For': address } });

  /** Asks and reads nothing. */
  async function askAndWait(address: string): Promise<Socket> {
    const before = overload.unsentBytes;
    const socket = connect({ port: portOf(server), host: '127.0.0.1' }).on('error', () => undefined);
    sockets.push(socket);
    await once(socket, 'connect');
    socket.write(`GET / HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${address}\r\n\r\n`);
    await until(() => overload.unsentBytes !== before);
    return socket;
  }

  it('get 503 beyond 16 MiB that they have not taken, while another client is served', async () => {
    for (let n = 0; n < BODIES_OF_CLIENT; n += 1) await askAndWait('192.0.2.1');
    const { status, body, headers } = await ask('192.0.2.1');
    expect([status, body, headers.get('ETag')]).to.deep.equal([503, 'overloaded', null]);
    expect((await ask('192.0.2.2')).body).to.have.length(BODY.length);
    expect(overload.unsentBytes).to.equal(BODIES_OF_CLIENT * BODY.length);
  });

  it('are served again when they have left', async () => {
    for (let n = 0; n < BODIES_OF_CLIENT; n += 1) await askAndWait('192.0.2.1');
    for (const socket of sockets) socket.destroy();
    await until(() => overload.unsentBytes === 0);
    expect((await ask('192.0.2.1')).status).to.equal(200);
    expect(overload.inFlight).to.equal(0);
  });

  it('are told what a write did, as it is done', async () => {
    for (let n = 0; n < BODIES_OF_CLIENT; n += 1) await askAndWait('192.0.2.1');
    expect((await ask('192.0.2.1', 'POST')).status).to.equal(200);
  });

  it('are cut off beyond 64 MiB of all clients, the one that waits longest first', async () => {
    const [longest] = [await askAndWait('192.0.2.1')];
    for (let n = 1; n < BODIES_OF_ALL; n += 1) await askAndWait(`192.0.2.${n + 1}`);
    expect(overload.unsentBytes).to.equal(BODIES_OF_ALL * BODY.length);
    const ended = once(longest.resume(), 'close');
    expect((await ask('192.0.2.200')).body).to.have.length(BODY.length);
    await ended;
    await until(() => overload.unsentBytes === (BODIES_OF_ALL - 1) * BODY.length);
    expect(longest.bytesRead).to.be.below(BODY.length);
  });
});

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await setTimeout(10);
}
