import { expect } from 'chai';
import { createServer, IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { runInNewContext } from 'node:vm';
import type { MountedApp } from '../../../adapters/api/index.js';
import { createCatalogue } from '../../../adapters/catalogue/index.js';
import { createHttpApp, Overload, protectServer } from '../../../adapters/api/index.js';
import { createPagesApp } from '../../../adapters/api/documents/site-app.js';
import { inMemoryStorage } from '../../../adapters/in-memory/index.js';
import { createPanel } from '../../../adapters/panel/index.js';
import {
  DEFAULT_CURRENCY,
  isDomainError,
  newCore,
  OPERATOR,
  parseDeveloperId,
  SCOPES,
} from '../../../application/index.js';
import { createService } from '../../../composition/index.js';
import { converse } from '../../support/raw.js';
import { listening, portOf, send } from '../../support/socket.js';

const caller = { developerId: parseDeveloperId('ada'), scopes: SCOPES };
const verifier = { verify: async () => caller };

/** What a hook of a host may do wrong; a rejection that is not handled ends the process. */
const FAULTS: Readonly<Record<string, () => unknown>> = {
  throws: () => {
    throw new Error('the hook fails');
  },
  'throws what is no error': () => {
    throw Object.create(null);
  },
  rejects: () => Promise.reject(new Error('the hook fails')),
  'rejects with nothing in another realm': () => runInNewContext('Promise.reject()') as unknown,
  'rejects in another realm': () => runInNewContext('Promise.reject(new Error("the hook fails"))') as unknown,
  'returns what rejects when it is awaited': () => ({
    // oxlint-disable-next-line unicorn/no-thenable
    then: (_: unknown, reject: (error: Error) => void) => reject(new Error('the hook fails')),
  }),
  'returns what cannot be looked at': () =>
    new Proxy(
      {},
      {
        get: () => {
          throw new Error('the hook fails');
        },
      },
    ),
};

async function statusOf(app: Pick<MountedApp, 'callback'>, path = '/api/automations'): Promise<number> {
  const handle = app.callback();
  const server = await listening(createServer((request, response) => void handle(request, response)));
  const { status } = await send(server.url, { method: 'GET', path, headers: { Authorization: 'Bearer x' } });
  await server.close();
  await setImmediate();
  return status;
}

function newTestCore() {
  return newCore(inMemoryStorage());
}

type PagesOptions = Parameters<typeof createPagesApp>[0];

function pagesApp(options: Partial<PagesOptions>) {
  const about = { currency: DEFAULT_CURRENCY, version: '1.2.3', panel: false, readiness: async () => 'ready' as const };
  return createPagesApp({ ...about, ...options }, new Overload());
}

for (const [fault, hook] of Object.entries(FAULTS)) {
  // A hook of a host in JavaScript may return anything.
  const faulty = hook as () => never;

  describe(`A hook of a host that ${fault}`, () => {
    it('ends no process as onRequestCompleted', async () => {
      const onError = () => undefined;
      const app = createHttpApp(newTestCore().marketplace, { verifier, onError, onRequestCompleted: faulty });
      expect(await statusOf(app)).to.equal(200);
    });

    it('ends no process as onError', async () => {
      const failing = { verify: () => Promise.reject(new Error('planted')) };
      const app = createHttpApp(newTestCore().marketplace, { verifier: failing, onError: faulty });
      expect(await statusOf(app)).to.equal(500);
    });

    it('ends no process as verifier or authenticate', async () => {
      const { marketplace } = newTestCore();
      const onError = () => undefined;
      expect(await statusOf(createHttpApp(marketplace, { verifier: { verify: faulty }, onError }))).to.equal(500);
      expect(await statusOf(createHttpApp(marketplace, { authenticate: faulty, sessions: false, onError }))).to.equal(
        500,
      );
    });

    it('ends no process as onRequestCompleted of a server', async () => {
      const server = createServer();
      protectServer(server, { onRequestCompleted: faulty });
      const service = await listening(server);
      const { answers } = await converse(portOf(service), 'GARBAGE\r\n\r\n');
      expect(answers.map(({ status }) => status)).to.deep.equal([400]);
      await service.close();
    });

    it('ends no process as onRequestCompleted or onError of the pages', async () => {
      expect(await statusOf(pagesApp({ onRequestCompleted: faulty, onError: faulty }), '/docs')).to.equal(200);
      expect(await statusOf(pagesApp({ onError: faulty, readiness: faulty }), '/readyz')).to.equal(503);
    });

    it('is the reason of a 503 that onError gets, as what readiness or metrics ask', async () => {
      const told: unknown[] = [];
      const onError = (error: unknown) => void told.push(error);
      const metrics = { token: '', text: faulty };
      for (const path of ['/readyz', '/metrics'])
        expect(await statusOf(pagesApp({ onError, readiness: faulty, metrics }), path), path).to.equal(503);
      expect(told.map((error) => isDomainError(error) && 'cause' in error)).to.deep.equal([true, true]);
    });

    it('ends no process as the log of a service', async () => {
      const log = { debug: faulty, info: faulty, warn: faulty, error: faulty };
      const service = await createService({ storage: inMemoryStorage(), log });
      const server = await service.listen(0);
      const { port } = server.address() as { readonly port: number };
      expect((await fetch(`http://127.0.0.1:${port}/docs`)).status).to.equal(200);
      await service.close();
    });

    it('ends no process as onAuditError', async () => {
      const storage = inMemoryStorage();
      storage.auditLog.append = () => Promise.reject(new Error('planted'));
      const core = newCore(storage, { onAuditError: faulty });
      await core.categories.add(OPERATOR, { id: 'one', name: 'One' });
      await core.audit.settled();
    });
  });
}

describe('A part of a host that never answers', () => {
  const { setTimeout } = globalThis;
  before(() => {
    const hundredTimesFaster = (work: () => void, milliseconds: number) => setTimeout(work, milliseconds / 100);
    globalThis.setTimeout = hundredTimesFaster as typeof setTimeout;
  });
  after(() => {
    globalThis.setTimeout = setTimeout;
  });

  it('is the reason of a 503 after 5 seconds, as what readiness or metrics ask', async () => {
    const never = () => new Promise<never>(() => undefined);
    const told: unknown[] = [];
    const onError = (error: unknown) => void told.push((error as Error).cause);
    const app = pagesApp({ onError, readiness: never, metrics: { token: '', text: never } });
    for (const path of ['/readyz', '/metrics']) expect(await statusOf(app, path), path).to.equal(503);
    expect(told.map(String)).to.deep.equal(Array.from({ length: 2 }, () => 'Error: no answer within 5000 ms'));
  });
});

describe('A request of a host that has no socket', () => {
  const core = newTestCore();
  for (const [name, app, path, status] of [
    ['API', createHttpApp(core.marketplace, { verifier }), '/api/automations', 200],
    ['API', createHttpApp(core.marketplace, { verifier }), '/api/nothing', 404],
    ['API', createHttpApp(core.marketplace, { verifier, trustedProxyHops: 1 }), '/openapi.json', 200],
    ['catalogue', createCatalogue(core), '/catalogue', 200],
    ['panel', createPanel(core), '/panel/sign-in', 200],
    ['panel', createPanel(core), '/panel/nothing', 404],
  ] as const)
    it(`is served by the ${name}: ${path}`, async () => {
      for (const socket of [null, undefined]) {
        const request = new IncomingMessage(socket as unknown as Socket);
        const headers = { host: 'x', authorization: 'Bearer x' };
        Object.assign(request, { method: 'GET', url: path, httpVersion: '1.1', headers, complete: true });
        const response = new ServerResponse(request);
        await app.callback()(request, response);
        expect(response.statusCode).to.equal(status);
        response.destroy(new Error('the host gives up'));
        await setImmediate();
      }
    });
});
