import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { MongoClient, type Document } from 'mongodb';
import { HOW, mongodBinary } from './mongod.js';

const NAME = 'rs0';
const TIMEOUT_MS = 100_000;
/** Several sets run on one machine. */
const CACHE_GB = 0.25;

const running = new Set<ChildProcess>();
const folders = new Set<string>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
  for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

/** One mongod, which keeps its port and its files when it is started again. */
export class Node {
  #child: ChildProcess | undefined;

  constructor(
    readonly port: number,
    private readonly folder: string,
    private readonly options: readonly string[],
    private readonly query: string,
  ) {}

  get address(): string {
    return `127.0.0.1:${this.port}`;
  }

  /** A connection string for this node alone, whatever its role. */
  get url(): string {
    return `mongodb://${this.address}/?directConnection=true${this.query}`;
  }

  async start(): Promise<void> {
    const binary = mongodBinary();
    if (binary === undefined) throw new Error(HOW);
    await mkdir(this.folder, { recursive: true });
    const where = ['--port', String(this.port), '--dbpath', this.folder, '--bind_ip', '127.0.0.1'];
    const child = spawn(binary, [...where, ...this.options], { stdio: 'ignore' });
    this.#child = child;
    running.add(child);
    child.once('exit', () => running.delete(child));
    await untilAnswered(this.url);
  }

  /** The process may end while it runs, and ends it then. */
  unref(): void {
    this.#child?.unref();
  }

  signal(signal: NodeJS.Signals): void {
    this.#child?.kill(signal);
  }

  /** Ends it as a power cut does. */
  async kill(): Promise<void> {
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }
}

/** Where the files are, a secret that the nodes share, the memory of each, other options, and the end of addresses. */
interface Access {
  readonly folder?: string;
  readonly secret?: string;
  readonly cacheGb?: number;
  readonly options?: readonly string[];
  readonly query?: string;
}

/** Mongods of our own, that can be killed, halted and started again. */
export class ReplicaSet {
  private constructor(
    readonly nodes: readonly Node[],
    private readonly folder: string,
    private readonly query: string,
  ) {}

  /** With a secret, users have to sign in; on loopback the first can be made without. */
  static async start(
    count: number,
    electionTimeoutMillis = 2_000,
    { folder: given, secret = '', cacheGb = CACHE_GB, options = [], query = '' }: Access = {},
  ): Promise<ReplicaSet> {
    const folder = given ?? (await newFolder());
    const keyFile = join(folder, 'key');
    if (secret !== '') await writeFile(keyFile, secret, { mode: 0o600 });
    const key = secret === '' ? [] : ['--keyFile', keyFile];
    const all = ['--replSet', NAME, ...cache(cacheGb), ...key, ...options];
    const nodes = await newNodes(folder, count, all, query);
    await Promise.all(nodes.map((node) => node.start()));
    const members = nodes.map(({ address }, _id) => ({ _id, host: address }));
    const [first] = nodes as [Node];
    await command(first.url, { replSetInitiate: { _id: NAME, members, settings: { electionTimeoutMillis } } });
    const set = new ReplicaSet(nodes, folder, query);
    await set.primary();
    return set;
  }

  /** A mongod that is in no replica set; with `--replSet` among its options, one that is not initiated. */
  static async standalone(...options: readonly string[]): Promise<ReplicaSet> {
    const folder = await newFolder();
    const nodes = await newNodes(folder, 1, [...cache(CACHE_GB), ...options], '');
    await Promise.all(nodes.map((node) => node.start()));
    return new ReplicaSet(nodes, folder, '');
  }

  get url(): string {
    return this.urlOf('');
  }

  /** A connection string that names a database. */
  urlOf(database: string): string {
    const addresses = this.nodes.map(({ address }) => address).join(',');
    return `mongodb://${addresses}/${database}?replicaSet=${NAME}${this.query}`;
  }

  /** Waits until there is one. */
  async primary(): Promise<Node> {
    const hello = await eventually(() => command(this.url, { hello: 1 }));
    const node = this.nodes.find(({ address }) => address === hello['me']);
    if (node === undefined) throw new Error('the primary is none of the nodes');
    return node;
  }

  /** Nobody stops it; it runs for as long as the process. */
  leaveAlone(): void {
    for (const node of this.nodes) node.unref();
  }

  async stop(): Promise<void> {
    await Promise.all(this.nodes.map((node) => node.kill()));
    rmSync(this.folder, { recursive: true, force: true });
    folders.delete(this.folder);
  }
}

function cache(gigabytes: number): readonly string[] {
  return ['--wiredTigerCacheSizeGB', String(gigabytes)];
}

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'mongods-'));
  folders.add(folder);
  return folder;
}

async function newNodes(
  folder: string,
  count: number,
  options: readonly string[],
  query: string,
): Promise<readonly Node[]> {
  const ports = await Promise.all(Array.from({ length: count }, freePort));
  return ports.map((port) => new Node(port, join(folder, String(port)), options, query));
}

/** Runs one administrator's command on a connection of its own. */
export async function command(url: string, document: Document): Promise<Document> {
  const client = new MongoClient(url, { serverSelectionTimeoutMS: 2_000, socketTimeoutMS: 5_000 });
  try {
    return await client.db('admin').command(document);
  } finally {
    await client.close();
  }
}

async function untilAnswered(url: string): Promise<void> {
  await eventually(() => command(url, { ping: 1 }));
}

export async function eventually<Answer>(work: () => Promise<Answer>, timeoutMs = TIMEOUT_MS): Promise<Answer> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await setTimeout(100);
    }
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
