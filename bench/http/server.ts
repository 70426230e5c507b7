/** A server under load, in a process of its own: `server.js KIND COUNT CATEGORIES`. Its parent is told the port and the key. */
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { bareExpress } from './bare-express.js';
import { bareFastify } from './bare-fastify.js';
import { bareKoa } from './bare-koa.js';
import { bareNode } from './bare-node.js';
import { marketplace } from './marketplace.js';
import { plainDriver } from './plain-driver.js';
import { Shelves } from './shelves.js';

const BARE: Readonly<Record<string, (shelves: Shelves) => RequestListener | Promise<RequestListener>>> = {
  node: bareNode,
  koa: bareKoa,
  fastify: bareFastify,
  express: bareExpress,
};

const [kind = '', count = '', categories = ''] = process.argv.slice(2);

const { server, key } = await subject();
server.listen(0, '127.0.0.1');
await once(server, 'listening');
process.send?.({ port: (server.address() as AddressInfo).port, key });
process.on('message', () => process.send?.(process.cpuUsage()));
process.once('disconnect', () => process.exit());

async function subject(): Promise<{ server: Server; key: string }> {
  if (kind === 'marketplace') return marketplace(Number(count), Number(categories));
  if (kind === 'driver') {
    const { listener, key } = await plainDriver(process.env['MONGODB_URL'] ?? '', Number(count), Number(categories));
    return { server: createServer(listener), key };
  }
  const bare = BARE[kind];
  if (bare === undefined) throw new Error(`there is no server ${kind}`);
  const shelves = new Shelves(Number(count), Number(categories));
  return { server: createServer(await bare(shelves)), key: shelves.key };
}
