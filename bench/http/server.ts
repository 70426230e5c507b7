/** A bare server under load: `server.js KIND ITEMS`. It prints its key and its address, as our program does. */
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { starterCategories } from '../../composition/service/starter-categories.js';
import { bareExpress } from './bare-express.js';
import { bareFastify } from './bare-fastify.js';
import { bareKoa } from './bare-koa.js';
import { bareNode } from './bare-node.js';
import { plainDriver } from './plain-driver.js';
import { KEY, Shelves } from './shelves.js';

const BARE: Readonly<Record<string, (shelves: Shelves) => RequestListener | Promise<RequestListener>>> = {
  node: bareNode,
  koa: bareKoa,
  fastify: bareFastify,
  express: bareExpress,
};

const [kind = '', items = ''] = process.argv.slice(2);
const server = createServer(await listener(Number(items)));
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const { port } = server.address() as AddressInfo;
console.log(JSON.stringify({ key: KEY, url: `http://127.0.0.1:${port}` }));

async function listener(count: number): Promise<RequestListener> {
  if (kind === 'driver') return plainDriver(process.env['MONGODB_URL'] ?? '', count, starterCategories());
  const bare = BARE[kind];
  if (bare === undefined) throw new Error(`there is no server ${kind}`);
  return bare(new Shelves(count, starterCategories()));
}
