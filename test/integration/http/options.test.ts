import { expect } from 'chai';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { createHttpApp, type CompletedRequest } from '../../../adapters/api/index.js';
import type { OpenApiDocument } from '../../../adapters/api/openapi/model.js';
import { InMemoryAutomationRepository, InMemoryCategoryRepository } from '../../../adapters/in-memory/index.js';
import { Marketplace, parseDeveloperId, type Caller } from '../../../application/index.js';
import { DomainError, type ErrorKind } from '../../../domain/errors.js';
import { listening, send } from '../../support/socket.js';

const marketplace = new Marketplace(new InMemoryAutomationRepository(), new InMemoryCategoryRepository());
const caller: Caller = { developerId: parseDeveloperId('ada'), scopes: ['automations:read'] };
const verifier = { verify: async () => caller };

/** As a host in JavaScript may do it. */
function appWith(options: object) {
  return createHttpApp(marketplace, { verifier, ...options });
}

/** What one list is answered, once everything that was told of it was told. */
async function listed(options: object): Promise<{ status: number; link: string | null }> {
  const answer = appWith(options).callback();
  const server = await listening(createServer((request, response) => void answer(request, response)));
  const { status, headers } = await send(server.url, {
    method: 'GET',
    path: '/api/automations',
    headers: { Authorization: 'Bearer x' },
  });
  await server.close();
  return { status, link: headers.get('link') };
}

describe('The options of the HTTP application', () => {
  for (const [options, rule] of [
    [{ verifier: undefined }, 'options must have a verifier, a function authenticate, or both'],
    [{ authenticate: {} }, 'authenticate must be a function that returns a caller'],
    [{ authenticate: async () => caller }, 'authenticate needs sessions: core.sessions, which refuses a developer'],
    [{ authenticate: async () => caller, sessions: true }, 'with sessions: false, a suspended developer goes on'],
    [{ authenticate: async () => caller, sessions: {} }, 'authenticate needs sessions: core.sessions'],
    [{ sessions: false }, 'sessions must come with authenticate'],
    [{ verifier: async () => caller }, 'verifier must be an ApiKeyVerifier'],
    [{ mountPath: 'market' }, 'mountPath must begin with a slash'],
    [{ mountPath: '/market/' }, 'mountPath must begin with a slash'],
    [{ mountPath: '/a\r\nb' }, 'mountPath must begin with a slash'],
    [{ publicUrl: 'market.example' }, 'publicUrl must be an http or https URL'],
    [{ publicUrl: 'https://market.example/' }, 'publicUrl must be an http or https URL'],
    [{ publicUrl: 'https://market.example/?x=1' }, 'publicUrl must be an http or https URL without query'],
    [{ publicUrl: 'https://market.example/#x' }, 'publicUrl must be an http or https URL'],
    [{ publicUrl: 'https://ada:secret@market.example' }, 'publicUrl must be an http or https URL'],
    [{ publicUrl: 'ftp://market.example' }, 'publicUrl must be an http or https URL'],
    [{ resourceMetadata: 'x' }, 'resourceMetadata must be an http or https URL'],
    [{ onError: 'log' }, 'onError must be a function'],
    [{ onRequestCompleted: null }, 'onRequestCompleted must be a function'],
    [{ trustedProxyHops: -1 }, 'trustedProxyHops must be an integer'],
    [{ isSharedNetwork: '192.0.2.0/24' }, 'isSharedNetwork must be a function'],
    [{ search: 'off' }, 'search must be true or false'],
    [{ documents: 'off' }, 'documents must be true or false'],
    [{ rateLimits: null }, 'rateLimits takes its options as an object, not as null'],
    [{ rateLimits: 'off' }, 'rateLimits takes its options as an object, not as a string'],
    [{ rateLimits: { read: 5 } }, 'rateLimits has no option read; it has reads, creates, failedAuthentications'],
    [{ rateLimits: { reads: -1 } }, 'rateLimits.reads must be an integer above 0, or off'],
    [{ rateLimits: { creates: '60' } }, 'rateLimits.creates must be'],
    [{ rateLimits: { failedAuthentications: null } }, 'rateLimits.failedAuthentications must be'],
  ] as const)
    it(`refuse ${JSON.stringify(options)}`, () => {
      expect(() => appWith(options)).to.throw(TypeError, rule);
    });

  for (const options of [undefined, null, 'verifier'])
    it(`refuse to be ${JSON.stringify(options)}`, () => {
      expect(() => createHttpApp(marketplace, options as never)).to.throw(
        TypeError,
        'createHttpApp takes its options as an object, not as',
      );
    });

  for (const wrong of [undefined, null, {}, 'market', { marketplace }, { verifier }])
    it(`refuse ${JSON.stringify(wrong)} for a marketplace`, () => {
      expect(() => createHttpApp(wrong as never, { verifier })).to.throw(
        TypeError,
        'marketplace must be a Marketplace, an object with the methods listAutomations,',
      );
    });

  it('may be undefined, which is as if they were not there', async () => {
    const nothing = {
      mountPath: undefined,
      publicUrl: undefined,
      resourceMetadata: undefined,
      authenticate: undefined,
      onError: undefined,
      onRequestCompleted: undefined,
      trustedProxyHops: undefined,
      search: undefined,
      documents: undefined,
    };
    for (const rateLimits of [undefined, { reads: undefined }])
      expect(await listed({ ...nothing, rateLimits })).to.deep.equal({
        status: 200,
        link: '</api/automations?page=1>; rel="first", </api/automations?page=1>; rel="last"',
      });
  });
});

describe('The documents of the HTTP application', () => {
  const PATHS = ['/openapi.json', '/problems', '/problems/not-found'];

  /** Asks for the documents, and for the type of a problem. */
  async function documents(options: object) {
    const answer = appWith(options).callback();
    const server = await listening(createServer((request, response) => void answer(request, response)));
    const sent = await Promise.all(PATHS.map((path) => send(server.url, { method: 'GET', path })));
    const unknown = await send(server.url, { method: 'GET', path: '/problems/unknown' });
    await server.close();
    const { type } = JSON.parse(unknown.body) as { readonly type: string };
    return { statuses: sent.map(({ status }) => status), body: sent[0]?.body ?? '', type };
  }

  it('are there by default, and their links begin with the public URL and the mount path', async () => {
    const { statuses, body, type } = await documents({ publicUrl: 'https://market.example/x', mountPath: '/market' });
    expect([statuses, type]).to.deep.equal([[200, 200, 200], '/x/market/problems/not-found']);
    expect((JSON.parse(body) as OpenApiDocument).servers.map(({ url }) => url)).to.deep.equal([
      'https://market.example/x/market/api',
    ]);
  });

  it('send a browser on from the page of problems with a slash at its end', async () => {
    const answer = appWith({ publicUrl: 'https://market.example/x', mountPath: '/market' }).callback();
    const server = await listening(createServer((request, response) => void answer(request, response)));
    const { status, headers } = await send(server.url, { method: 'GET', path: '/problems/not-found/?a=1' });
    expect([status, headers.get('location')]).to.deep.equal([308, '/x/market/problems/not-found?a=1']);
    expect((await send(server.url, { method: 'GET', path: '/openapi.json/' })).status).to.equal(404);
    await server.close();
  });

  it('know whether automations can be found by words', async () => {
    const names = async (search: boolean) => (await documents({ search })).body.includes('"q"');
    expect([await names(true), await names(false)]).to.deep.equal([true, false]);
  });

  it('are not there if the host wants none, and the types of problems stay', async () => {
    const { statuses, type } = await documents({ documents: false, mountPath: '/market' });
    expect([statuses, type]).to.deep.equal([[404, 404, 404], '/market/problems/not-found']);
  });
});

describe('The public URL', () => {
  for (const [publicUrl, told] of [
    ['https://市场.example', 'https://xn--mesr1n.example'],
    ['HTTPS://Market.Example:443/über uns', 'https://market.example/%C3%BCber%20uns'],
    ['https://market.example/shop?#', 'https://market.example/shop'],
    ['https://market.example/>; rel="x"', 'https://market.example/%3E;%20rel=%22x%22'],
  ] as const)
    it(`is told as it goes over the wire: ${publicUrl}`, async () => {
      const { status, link } = await listed({ publicUrl, resourceMetadata: publicUrl });
      expect({ status, link }).to.deep.equal({
        status: 200,
        link: `<${told}/api/automations?page=1>; rel="first", <${told}/api/automations?page=1>; rel="last"`,
      });
    });
});

describe('A hook of the host', () => {
  const mine = new Error('mine');
  const fails = () => {
    throw mine;
  };

  it('that fails is told to onError, whether at once or later, and nothing else comes of it', async () => {
    for (const onRequestCompleted of [fails, async () => Promise.reject(mine)]) {
      const told: unknown[] = [];
      expect((await listed({ onRequestCompleted, onError: (error: unknown) => told.push(error) })).status).to.equal(
        200,
      );
      expect(told).to.deep.equal([mine]);
    }
  });

  it('is told of a request whose client was gone before it was handed over', async () => {
    const told: CompletedRequest[] = [];
    const answer = appWith({ onRequestCompleted: (one: CompletedRequest) => told.push(one) }).callback();
    let handedOver: Promise<void> | undefined;
    const server = await listening(
      createServer((request, response) => {
        handedOver = once(response, 'close')
          .then(() => setImmediate())
          .then(() => answer(request, response));
        request.socket.destroy();
      }),
    );
    await send(server.url, { method: 'GET', path: '/api/automations', headers: { Authorization: 'Bearer x' } }).catch(
      () => undefined,
    );
    await handedOver;
    await server.close();
    expect(told.map(({ status, aborted }) => ({ status, aborted }))).to.deep.equal([{ status: 499, aborted: true }]);
  });

  it('that is told of failures may fail as well', async () => {
    const verifier = { verify: async () => Promise.reject(new Error('down')) };
    for (const onError of [fails, async () => Promise.reject(mine)]) {
      const statuses: number[] = [];
      const onRequestCompleted = ({ status }: CompletedRequest) => void statuses.push(status);
      expect((await listed({ verifier, onError, onRequestCompleted })).status).to.equal(500);
      expect(statuses).to.deep.equal([500]);
    }
  });
});

describe('A verifier of the host', () => {
  const failing = (kind: ErrorKind) => ({
    verify: async () => Promise.reject(new DomainError(kind, 'store-unavailable', 'of the host')),
  });

  it('that breaks a rule is no mistake of the client, and the host is told', async () => {
    for (const kind of ['invalid', 'forbidden', 'not-found', 'conflict'] as const) {
      const told: unknown[] = [];
      const { status } = await listed({
        verifier: failing(kind),
        onError: (error: Error) => told.push((error.cause as DomainError).kind),
      });
      expect({ status, told }).to.deep.equal({ status: 500, told: [kind] });
    }
  });

  it('that fails as what reads bodies does is no mistake of the client either', async () => {
    const failure = Object.assign(new Error('upstream'), { type: 'entity.too.large' });
    const told: unknown[] = [];
    const { status } = await listed({
      verifier: { verify: async () => Promise.reject(failure) },
      onError: (error: unknown) => told.push(error),
    });
    expect({ status, told }).to.deep.equal({ status: 500, told: [failure] });
  });

  it('that cannot tell is waited for', async () => {
    expect((await listed({ verifier: failing('unavailable'), onError: () => undefined })).status).to.equal(503);
  });

  const wrong: readonly (readonly [string, object | string])[] = [
    ['scopes', { ...caller, scopes: 'automations:read' }],
    ['scopes', { developerId: 'ada' }],
    ['developerId', { ...caller, developerId: 'Ada Lovelace' }],
    ['developerId', { ...caller, developerId: 'oauth:ada' }],
    ['developerId', { ...caller, developerId: 7 }],
    ['developerId', { scopes: [] }],
    ['developerId', 'ada'],
    ['credentialId', { ...caller, credentialId: { id: 7 } }],
  ];
  for (const [member, answer] of wrong)
    it(
      `that answers ${JSON.stringify(answer)} lets nobody in, ` + `and the host is told that ${member} is wrong`,
      async () => {
        const told: unknown[] = [];
        const { status } = await listed({
          verifier: { verify: async () => answer },
          onError: (error: unknown) => told.push(error),
        });
        expect({ status, count: told.length }).to.deep.equal({ status: 500, count: 1 });
        expect(told[0])
          .to.be.instanceOf(TypeError)
          .with.property('message')
          .that.matches(new RegExp(`^the ${member}.* of a caller must be `));
      },
    );

  it('may answer a caller that has its members from a class', async () => {
    class User {
      get developerId() {
        return caller.developerId;
      }
      get scopes() {
        return caller.scopes;
      }
    }
    const told: unknown[] = [];
    expect(
      (await listed({ verifier: { verify: async () => new User() }, onError: (error: unknown) => told.push(error) }))
        .status,
    ).to.equal(200);
    expect(told).to.deep.equal([]);
  });

  it('may answer null for who is unknown', async () => {
    expect((await listed({ verifier: { verify: async () => null } })).status).to.equal(401);
  });
});
