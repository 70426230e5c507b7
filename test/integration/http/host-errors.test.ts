import { expect } from 'chai';
import { createServer } from 'node:http';
import type { MountedApp } from '../../../adapters/api/index.js';
import { createCatalogue } from '../../../adapters/catalogue/index.js';
import { createHttpApp } from '../../../adapters/api/index.js';
import { inMemoryStorage } from '../../../adapters/in-memory/index.js';
import { createPanel } from '../../../adapters/panel/index.js';
import { DomainError, newCore, parseDeveloperId, SCOPES, type UseCases } from '../../../application/index.js';
import { listening, send, type Sent } from '../../support/socket.js';

const verifier = {
  verify: async () => ({ developerId: parseDeveloperId('ada'), scopes: SCOPES, credentialId: 'ada' }),
};

class HostError extends Error {
  override readonly name = 'DomainError';
  readonly kind = 'billing';
  readonly code = 'card-declined';
}

/** An error of the core of a later copy, whose kind this copy does not know. */
function laterError(): Error {
  return Object.assign(new DomainError('conflict', 'duplicate-id', 'planted'), { kind: 'later' });
}

const unreadable = new Proxy(new Error('planted'), {
  has: () => {
    throw new Error('it cannot be looked at');
  },
});

const ERRORS: Readonly<Record<string, unknown>> = {
  'an error of its own that is named DomainError': new HostError('planted'),
  'an error of the core with an unknown kind': laterError(),
  'an error that cannot be looked at': unreadable,
  nothing: undefined,
};

async function ask(app: MountedApp, path: string): Promise<Sent> {
  const handle = app.callback();
  const server = await listening(createServer((request, response) => void handle(request, response)));
  const sent = await send(server.url, { method: 'GET', path, headers: { Authorization: 'Bearer x' } });
  await server.close();
  return sent;
}

for (const [what, error] of Object.entries(ERRORS)) {
  // A promise of a host may reject with anything.
  // oxlint-disable-next-line typescript/prefer-promise-reject-errors
  const fail = () => Promise.reject(error);

  describe(`A host whose part throws ${what}`, () => {
    it('has 500 as a problem document of the API, and its onError gets that error', async () => {
      const failures: unknown[] = [];
      const marketplace: UseCases['marketplace'] = Object.assign(newCore(inMemoryStorage()).marketplace, {
        listCategories: fail,
      });
      const onError = (failure: unknown) => void failures.push(failure);
      const { status, headers } = await ask(createHttpApp(marketplace, { verifier, onError }), '/api/categories');
      expect([status, headers.get('content-type')]).to.deep.equal([500, 'application/problem+json']);
      expect(failures).to.have.length(1);
      expect(failures[0] === error).to.equal(true);
    });

    it('has 500 as a page of the catalogue, and its onError gets that error', async () => {
      const failures: unknown[] = [];
      const core = newCore(inMemoryStorage());
      Object.assign(core.catalogue, { find: fail });
      const onError = (failure: unknown) => void failures.push(failure);
      const { status, headers } = await ask(createCatalogue(core, { onError }), '/catalogue');
      expect([status, headers.get('content-type')]).to.deep.equal([500, 'text/html; charset=utf-8']);
      expect(failures.includes(error)).to.equal(true);
    });
  });
}

describe('A decorator around a use case', () => {
  /** Returns the same members, which write down each call of a method. */
  function traced<Part extends object>(part: Part, calls: string[]): Pick<Part, keyof Part> {
    return new Proxy(part, {
      get(target, name) {
        const member: unknown = Reflect.get(target, name);
        if (typeof member !== 'function') return member;
        return (...values: unknown[]): unknown => {
          calls.push(String(name));
          return Reflect.apply(member, target, values) as unknown;
        };
      },
    });
  }

  it('is called by the API', async () => {
    const calls: string[] = [];
    const marketplace = traced(newCore(inMemoryStorage()).marketplace, calls);
    expect((await ask(createHttpApp(marketplace, { verifier }), '/api/categories')).status).to.equal(200);
    expect(calls).to.include('listCategories');
  });

  it('is called by the catalogue and the panel', async () => {
    const calls: string[] = [];
    const core = newCore(inMemoryStorage());
    const catalogue = createCatalogue({ ...core, catalogue: traced(core.catalogue, calls) });
    expect((await ask(catalogue, '/catalogue')).status).to.equal(200);
    expect(calls).to.include('find');
    const parts = { marketplace: traced(core.marketplace, calls), sessions: traced(core.sessions, calls) };
    expect((await ask(createPanel({ ...core, ...parts }), '/panel/sign-in')).status).to.equal(200);
  });

  it('may be an object of a host that has the public members alone', async () => {
    const inner = newCore(inMemoryStorage()).marketplace;
    const calls: string[] = [];
    const tenant: UseCases['marketplace'] = {
      currency: inner.currency,
      listAutomations: (caller, request) => inner.listAutomations(caller, request),
      reviewListRequest: (request) => inner.reviewListRequest(request),
      readAutomation: (caller, id) => inner.readAutomation(caller, id),
      readFile: (caller, automation) => inner.readFile(caller, automation),
      createAutomation: (caller, draft) => inner.createAutomation(caller, draft),
      createAutomationOnce: (caller, draft, key) => inner.createAutomationOnce(caller, draft, key),
      createAutomationsOnce: (caller, drafts) => inner.createAutomationsOnce(caller, drafts),
      reviewAutomation: (by, draft) => inner.reviewAutomation(by, draft),
      prepareImports: (by, from) => inner.prepareImports(by, from),
      reviseAutomation: (by, id, changes, basedOn) => inner.reviseAutomation(by, id, changes, basedOn),
      withdrawAutomation: (by, id, reason) => inner.withdrawAutomation(by, id, reason),
      listCategories: (caller) => {
        calls.push('listCategories');
        return inner.listCategories(caller);
      },
    };
    expect((await ask(createHttpApp(tenant, { verifier }), '/api/categories')).status).to.equal(200);
    expect(calls).to.deep.equal(['listCategories']);
  });
});
