/**
 * A host in TypeScript: it is compiled against the packed package, and run. Every entry is used with the types that it
 * promises.
 */
import { Container } from 'inversify';
import { MongoClient } from 'mongodb';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { mkdtempSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  DomainError,
  newCategory,
  parseCurrency,
  parseDeveloperId,
  RoutingApiKeyVerifier,
  type ApiKeyVerifier,
  type AutomationRepository,
  type Caller,
  type Category,
  type CategoryId,
  type CategoryRepository,
  type UseCases,
} from 'automation-marketplace';
import {
  AUTOMATION_STORE,
  CATEGORY_REPOSITORY,
  CORE,
  coreModule,
  inMemoryModule,
  MARKETPLACE,
} from 'automation-marketplace-composition';
import { categoryRepositoryContract, type Runner } from 'automation-marketplace-contracts';
import { createHttpApp, type CompletedRequest, type HttpOptions } from 'automation-marketplace-http';
import { InMemoryAutomationRepository } from 'automation-marketplace/in-memory';
import { MongoAutomationRepository } from 'automation-marketplace-mongodb';
import { JwtAccessTokenVerifier, type AccessTokenOptions } from 'automation-marketplace-oauth';
import { sqliteStorage } from 'automation-marketplace-sqlite';

class OneShelf implements CategoryRepository {
  readonly #shelf: Category = newCategory({ id: 'email', name: 'Email' });

  async list(): Promise<readonly Category[]> {
    return [this.#shelf];
  }

  async find(id: CategoryId): Promise<Category | undefined> {
    return id === this.#shelf.id ? this.#shelf : undefined;
  }

  async save(): Promise<number> {
    throw new DomainError('unavailable', 'store-unavailable', 'there is one shelf only');
  }

  async remove(): Promise<boolean> {
    throw new DomainError('unavailable', 'store-unavailable', 'there is one shelf only');
  }
}

const ada: Caller = { developerId: parseDeveloperId('ada'), scopes: ['automations:read', 'automations:write'] };
const sessions: ApiKeyVerifier = { verify: async (credential) => (credential === 'session-of-ada' ? ada : undefined) };

/** Users by a subject, by an id, and as a caller with scopes of its own; one who is not signed in. */
export const signIns: readonly NonNullable<HttpOptions['authenticate']>[] = [
  () => ({ subject: '7', name: 'Ada', role: 'developer' }),
  async () => ({ developerId: ada.developerId, role: 'buyer' }),
  () => ada,
  () => undefined,
  // @ts-expect-error One of both tells who they are.
  () => ({ subject: '7', developerId: ada.developerId, role: 'buyer' }),
];

const sqlite = sqliteStorage(join(mkdtempSync(join(tmpdir(), 'host-')), 'market.db'));
await sqlite.prepare({ currency: parseCurrency('EUR') });
const client = new MongoClient('mongodb://127.0.0.1:1');
export const storages: readonly AutomationRepository[] = [
  new InMemoryAutomationRepository(),
  sqlite.automations,
  new MongoAutomationRepository(client.db('market')),
];

const container = new Container();
container.load(coreModule({ currency: 'EUR' }), inMemoryModule());
container.rebind(CATEGORY_REPOSITORY).toConstantValue(new OneShelf());
container.rebind(AUTOMATION_STORE).toConstantValue(sqlite);
const marketplace: UseCases['marketplace'] = container.get(MARKETPLACE);

const issuer: AccessTokenOptions = {
  issuer: 'https://login.example',
  audience: 'https://market.example',
  identities: container.get(CORE).identities,
};
export const keysAndTokens: ApiKeyVerifier = new RoutingApiKeyVerifier(sessions, new JwtAccessTokenVerifier(issuer));

const titles: string[] = [];
const runner: Runner = { describe: (_title, suite) => suite(), it: (title) => titles.push(title) };
categoryRepositoryContract(() => new OneShelf(), runner);

const told: CompletedRequest[] = [];
const options: HttpOptions = {
  verifier: sessions,
  mountPath: '/market',
  rateLimits: { creates: 'off' },
  onRequestCompleted: (one) => void told.push(one),
};
const answer = createHttpApp(marketplace, options).callback();
const server = createServer((request, response) => void answer(request, response)).listen(0, '127.0.0.1');
await once(server, 'listening');

const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/market/api/automations`, {
  method: 'POST',
  headers: { authorization: 'Bearer session-of-ada', 'content-type': 'application/json' },
  body: JSON.stringify({
    title: 'Sort my inbox',
    description: 'Labels what matters.',
    price: 9.99,
    category_id: 'email',
  }),
});
const { items, total } = await marketplace.listAutomations(ada, { category: 'email' });
server.close();
await client.close();
await sqlite.close();

const location = response.headers.get('location')?.replace(/[^/]+$/, '');
console.log(
  JSON.stringify({
    status: response.status,
    location,
    total,
    price: items[0]?.price,
    told: told.length,
    contracted: titles.length > 5,
  }),
);
