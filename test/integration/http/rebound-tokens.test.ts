import { expect } from 'chai';
import { Container } from 'inversify';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  InMemoryApiKeyVerifier,
  InMemoryCategoryRepository,
  inMemoryStorage,
} from '../../../adapters/in-memory/index.js';
import { decorated } from '../../../adapters/storage/decorated.js';
import { Passwords } from '../../../application/accounts.js';
import {
  type Automation,
  newCategory,
  newCore,
  OPERATOR,
  parseDeveloperId,
  SCOPES,
  type UseCases,
} from '../../../application/index.js';
import { coreModule } from '../../../composition/modules/core.js';
import { httpModule } from '../../../composition/modules/http.js';
import { inMemoryModule } from '../../../composition/modules/storage.js';
import * as tokens from '../../../composition/tokens.js';
import { Visitor } from '../../support/panel-visitor.js';
import { PASSWORD } from '../../support/panel.js';
import { startService, type LocalService } from '../../support/service.js';
import { signedIn } from '../../support/signed-in.js';
import { TEST_CATEGORIES } from '../../support/storages.js';

const ADA = { developerId: parseDeveloperId('ada'), scopes: SCOPES };
const DRAFT = { title: 'Marked', description: 'Two', price: 3, categoryId: 'communication' };
const MARKED = newCategory({ id: 'marked', name: 'Marked' });

interface Row {
  /** Binds a part of the host, which can be told from ours. */
  readonly rebind: (container: Container) => unknown;
  /** Looks for it from the outside and in the core. */
  readonly look: (service: LocalService) => Promise<unknown>;
}

/** Returns a store with an automation that is called `Marked`, and another way to reach it. */
async function markedStorage() {
  const storage = inMemoryStorage();
  await storage.categories.save([...TEST_CATEGORIES, MARKED]);
  const core = newCore(storage, { passwords: new Passwords({ cost: 4 }) });
  await core.marketplace.createAutomation(ADA, DRAFT);
  const { text } = await core.keys.issue(OPERATOR, { developer: 'ada' });
  const { token } = await core.accounts.invite(OPERATOR, 'ada');
  await core.sessions.accept(token, { name: 'ada@example.com', password: PASSWORD });
  return { storage, text };
}

const ask = (service: LocalService, path: string, credential: string) =>
  fetch(`${service.url}/api${path}`, { headers: { Authorization: `Bearer ${credential}` } });

async function titlesOf(service: LocalService, query: string, key?: string): Promise<readonly string[]> {
  const response = await ask(service, `/automations${query}`, key ?? (await service.key()));
  const { data } = (await response.json()) as { readonly data: readonly { readonly title: string }[] };
  return data.map(({ title }) => title);
}

const page = async (service: LocalService, path: string) => (await fetch(`${service.url}${path}`)).text();
const core = (service: LocalService) => service.container.get(tokens.CORE);

async function showsMarked(service: LocalService, key?: string): Promise<void> {
  for (const query of ['', '?q=marked', '?sort=price'])
    expect(await titlesOf(service, query, key), `the API with ${query}`).to.deep.equal(['Marked']);
  for (const query of ['', '?q=marked'])
    expect(await page(service, `/catalogue${query}`), 'the catalogue').to.include('Marked</a>');
  const { items } = await core(service).records.find(signedIn(ADA), { q: 'marked' });
  expect(items.map(({ automation }) => automation.title)).to.deep.equal(['Marked']);
  const exported: Automation[] = [];
  for await (const lot of core(service).transfer.everything(OPERATOR)) exported.push(...lot);
  expect(exported.map(({ title }) => title)).to.deep.equal(['Marked']);
  const history = await core(service).audit.list(OPERATOR);
  expect(history.items.map(({ action }) => action)).to.include('automation-published');
}

/** A marketplace whose categories are called `Marked`. */
function markedMarketplace(marketplace: UseCases['marketplace']): UseCases['marketplace'] {
  return decorated(marketplace, { listCategories: async () => [{ ...MARKED, automationCount: 7 }] });
}

async function listsMarked(service: LocalService): Promise<void> {
  const response = await ask(service, '/categories', await service.key());
  expect(await response.text(), 'the API').to.include('Marked');
  const visitor = new Visitor(service.url);
  await visitor.accept(await service.invite('ada'), 'ada@example.com');
  expect((await visitor.open('/panel/automations/new')).body, 'the panel').to.include('<option value="marked"');
  expect(await core(service).marketplace.listCategories(ADA)).to.have.nested.property('[0].id', 'marked');
}

type Rebound = Exclude<keyof typeof tokens, 'HTTP_APP'>;

/** Each token that is exported, but for that of an application of the host. */
function rowsOf({ storage, text }: Awaited<ReturnType<typeof markedStorage>>) {
  const { automations, archive, auditLog, keys, developers } = storage;
  const categories = new InMemoryCategoryRepository([MARKED]);
  return {
    STORAGE: {
      rebind: (container) => container.rebind(tokens.STORAGE).toConstantValue(storage),
      look: (service) => showsMarked(service, text),
    },
    AUTOMATION_STORE: {
      rebind: (container) =>
        container.rebind(tokens.AUTOMATION_STORE).toConstantValue({ automations, archive, auditLog }),
      look: (service) => showsMarked(service),
    },
    CATEGORY_REPOSITORY: {
      rebind: (container) => container.rebind(tokens.CATEGORY_REPOSITORY).toConstantValue(categories),
      look: async (service) => {
        await listsMarked(service);
        await core(service).marketplace.createAutomation(ADA, { ...DRAFT, title: 'One', categoryId: 'marked' });
        expect(await page(service, '/catalogue'), 'the catalogue').to.include('Marked');
      },
    },
    API_KEY_REPOSITORY: {
      rebind: (container) => container.rebind(tokens.API_KEY_REPOSITORY).toConstantValue(keys),
      look: async (service) => {
        expect((await ask(service, '/categories', text)).status).to.equal(200);
        expect(await core(service).keys.listActive(OPERATOR, 'ada')).to.have.length(1);
      },
    },
    DEVELOPER_REPOSITORY: {
      rebind: (container) => container.rebind(tokens.DEVELOPER_REPOSITORY).toConstantValue(developers),
      look: async (service) => {
        expect((await new Visitor(service.url).signIn('ada@example.com')).status).to.equal(303);
        expect(await core(service).accounts.find(OPERATOR, 'ada')).to.include({ status: 'active' });
      },
    },
    SESSION_REPOSITORY: {
      rebind: (container) => {
        const none = { findByHash: async () => undefined, list: async () => [] };
        const sessions = decorated(container.get(tokens.STORAGE).sessions, none);
        container.rebind(tokens.SESSION_REPOSITORY).toConstantValue(sessions);
      },
      look: async (service) => {
        const visitor = new Visitor(service.url);
        await visitor.accept(await service.invite('ada'), 'ada@example.com');
        expect((await visitor.open('/panel')).status, 'the panel').to.equal(303);
        expect(await core(service).security.listSessions(signedIn(ADA), '')).to.deep.equal([]);
      },
    },
    API_KEY_VERIFIER: {
      rebind: (container) =>
        container.rebind(tokens.API_KEY_VERIFIER).toConstantValue(new InMemoryApiKeyVerifier([['marked', ADA]])),
      look: async (service) => {
        expect((await ask(service, '/categories', 'marked')).status).to.equal(200);
        expect(await core(service).verifier.verify('marked')).to.deep.equal(ADA);
      },
    },
    MARKETPLACE: {
      rebind: (container) =>
        container
          .rebind(tokens.MARKETPLACE)
          .toConstantValue(markedMarketplace(newCore(container.get(tokens.STORAGE)).marketplace)),
      look: listsMarked,
    },
    CORE: {
      rebind: (container) => {
        const made = container.get(tokens.CORE);
        const parts = { marketplace: markedMarketplace(made.marketplace), catalogue: newCore(storage).catalogue };
        container.rebind(tokens.CORE).toConstantValue({ ...made, ...parts });
      },
      look: async (service) => {
        await listsMarked(service);
        expect(await page(service, '/catalogue'), 'the catalogue').to.include('Marked</a>');
      },
    },
  } satisfies Record<Rebound, Row>;
}

describe('A token that a host binds again', () => {
  const { HTTP_APP: _ofHost, ...others } = tokens;
  for (const name of Object.keys(others) as Rebound[])
    it(`${name} takes effect in the API, the pages and the core`, async () => {
      const row: Row = rowsOf(await markedStorage())[name];
      const service = await startService({ settings: { CATALOGUE: 'public' }, rebind: row.rebind });
      try {
        await row.look(service);
      } finally {
        await service.close();
      }
    });

  it('CORE takes effect in HTTP_APP', async () => {
    const container = new Container();
    container.load(coreModule(), inMemoryModule(), await httpModule());
    const made = container.get(tokens.CORE);
    const verifier = new InMemoryApiKeyVerifier([['marked', ADA]]);
    const marketplace = markedMarketplace(made.marketplace);
    container.rebind(tokens.CORE).toConstantValue({ ...made, marketplace, verifier });
    const handle = container.get(tokens.HTTP_APP).callback();
    const server = createServer((request, response) => void handle(request, response)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const response = await fetch(`${url}/api/categories`, { headers: { Authorization: 'Bearer marked' } });
    expect(await response.text()).to.include('Marked');
    server.close();
  });
});
