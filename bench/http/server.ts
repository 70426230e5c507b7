/** A bare server under load: `server.js KIND ITEMS`. It prints its key and its address, as our program does. */
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { starterCategories } from '../../composition/service/starter-categories.js';
import { bareFiles } from './bare-files.js';
import { bareKoa } from './bare-koa.js';
import { bareNode } from './bare-node.js';
import { plainDriver } from './plain-driver.js';
import { KEY, Shelves } from './shelves.js';

type Bare = (shelves: Shelves) => RequestListener | Promise<RequestListener>;

const BARE: Readonly<Record<string, Bare>> = { node: bareNode, koa: bareKoa };
/** Those on frameworks that `npm run hosts` installs. */
const ON_HOSTS: readonly string[] = ['express', 'fastify'];

const [kind = '', items = ''] = process.argv.slice(2);
const server = createServer(await listener(Number(items)));
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const { port } = server.address() as AddressInfo;
console.log(JSON.stringify({ key: KEY, url: `http://127.0.0.1:${port}` }));

async function listener(count: number): Promise<RequestListener> {
  if (kind === 'files') return bareFiles(process.env['FILE'] ?? '');
  if (kind === 'driver') return plainDriver(process.env['MONGODB_URL'] ?? '', count, starterCategories());
  const bare = BARE[kind] ?? (await onHost());
  if (bare === undefined) throw new Error(`there is no server ${kind}`);
  return bare(new Shelves(count, starterCategories()));
}

async function onHost(): Promise<Bare | undefined> {
  if (!ON_HOSTS.includes(kind)) return undefined;
  const file = new URL(`../../test/e2e/hosts/bare-${kind}.js`, import.meta.url);
  return ((await import(file.href)) as { readonly bare: Bare }).bare;
}
