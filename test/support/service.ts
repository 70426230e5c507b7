import { once } from 'node:events';
import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createHttpApp, type RateLimits } from '../../adapters/http/index.js';
import { createHttpServer } from '../../adapters/http/server.js';
import {
  InMemoryApiKeyRepository,
  InMemoryAutomationRepository,
  InMemoryCategoryRepository,
} from '../../adapters/in-memory/index.js';
import {
  SqliteApiKeyRepository,
  SqliteAutomationRepository,
  SqliteCategoryRepository,
  SqliteDatabase,
} from '../../adapters/sqlite/index.js';
import { CachingApiKeyRepository, GroupCommitAutomationRepository } from '../../adapters/storage/index.js';
import {
  DeveloperKeys,
  Marketplace,
  newCategory,
  RoutingApiKeyVerifier,
  StoredApiKeyVerifier,
  type ApiKeyRepository,
  type ApiKeyVerifier,
  type AutomationRepository,
  type CategoryRepository,
} from '../../application/index.js';
import { openMongo } from './mongo-storage.js';
import { hasMongo, HOW } from './mongod.js';

export interface Repositories {
  readonly automations: AutomationRepository;
  readonly categories: CategoryRepository;
  readonly apiKeys: ApiKeyRepository;
  close(): void | Promise<void>;
}

export type OpenStorage = () => Repositories | Promise<Repositories>;

/** The storages that every suite over HTTP runs on; MongoDB where it can be had. */
export const STORAGES: Readonly<Record<string, OpenStorage>> = {
  memory: overMemory,
  SQLite: () => overSqlite(new SqliteDatabase(':memory:')),
  ...(hasMongo() && { MongoDB: openMongo }),
};

/** Where each request waits for a disk, the ordinary tests do with a tenth; the long ones do not. */
export function fewer(count: number, storage: string): number {
  return storage === 'MongoDB' ? Math.ceil(count / 10) : count;
}

if (!hasMongo() && 'it' in globalThis) it(`The suites over HTTP on MongoDB (${HOW})`);

export function overMemory(): Repositories {
  return {
    automations: new InMemoryAutomationRepository(),
    categories: new InMemoryCategoryRepository(),
    apiKeys: new InMemoryApiKeyRepository(),
    close: () => undefined,
  };
}

export function overSqlite(database: SqliteDatabase): Repositories {
  return {
    automations: new GroupCommitAutomationRepository(new SqliteAutomationRepository(database)),
    categories: new SqliteCategoryRepository(database),
    apiKeys: new SqliteApiKeyRepository(database),
    close: () => database.close(),
  };
}

export interface TestService {
  readonly url: string;
  readonly port: number;
  readonly marketplace: Marketplace;
  readonly keys: DeveloperKeys;
  readonly repositories: Repositories;
  /** What `onError` was told. */
  readonly errors: unknown[];
  /** A new key of a developer, with both scopes unless told otherwise. */
  key(developer?: string, scopes?: readonly string[], lifetime?: number): Promise<string>;
  close(): Promise<void>;
}

/** A service as far as its clients go. */
export type Reachable = Pick<TestService, 'url' | 'key'>;

export interface TestServiceOptions {
  readonly repositories?: Repositories | Promise<Repositories>;
  readonly now?: () => Date;
  readonly currency?: string;
  readonly mountPath?: string;
  readonly publicUrl?: string;
  readonly keyCacheSeconds?: number;
  /** None unless given. */
  readonly rateLimits?: Partial<RateLimits>;
  readonly trustedProxyHops?: number;
  /** Puts the application behind a server that listens; ours by default. */
  readonly host?: (listener: RequestListener) => Promise<Server>;
  /** Of access tokens, beside keys. */
  readonly tokens?: ApiKeyVerifier;
  readonly resourceMetadata?: string;
}

export const UNLIMITED: RateLimits = { reads: 'off', creates: 'off', failedAuthentications: 'off' };

export const TEST_CATEGORIES = [
  { id: 'communication', name: 'Communication & Messaging' },
  { id: 'data-processing', name: 'Data Processing' },
  { id: 'ai-agents', name: 'AI Agents' },
].map(newCategory);

/** The four endpoints behind the real server on a real socket, with three categories and nothing on sale. */
export async function startService(options: TestServiceOptions = {}): Promise<TestService> {
  const { now, currency } = options;
  const repositories = await (options.repositories ?? overMemory());
  await repositories.categories.save(TEST_CATEGORIES);
  const clock = now === undefined ? {} : { now };
  const marketplace = new Marketplace(repositories.automations, repositories.categories, {
    ...clock,
    ...(currency !== undefined && { currency }),
  });
  const cached = new CachingApiKeyRepository(repositories.apiKeys, { seconds: options.keyCacheSeconds ?? 5 });
  const keys = new DeveloperKeys(cached, clock);
  const errors: unknown[] = [];
  const stored = new StoredApiKeyVerifier(cached, clock);
  const app = createHttpApp(marketplace, {
    verifier: options.tokens === undefined ? stored : new RoutingApiKeyVerifier(stored, options.tokens),
    onError: (error) => errors.push(error),
    rateLimits: options.rateLimits ?? UNLIMITED,
    ...(options.trustedProxyHops !== undefined && { trustedProxyHops: options.trustedProxyHops }),
    ...(options.mountPath !== undefined && { mountPath: options.mountPath }),
    ...(options.publicUrl !== undefined && { publicUrl: options.publicUrl }),
    ...(options.resourceMetadata !== undefined && { resourceMetadata: options.resourceMetadata }),
  });
  const handle = app.callback();
  const server = await (options.host ?? ourServer)((request, response) => void handle(request, response));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    marketplace,
    keys,
    repositories,
    errors,
    key: async (developer = 'ada', scopes, lifetime) => (await keys.issue({ developer, scopes, lifetime })).text,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await repositories.close();
    },
  };
}

async function ourServer(listener: RequestListener): Promise<Server> {
  const server = createHttpServer(listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}
