import { expect } from 'chai';
import { createPanel } from '../../../adapters/panel/index.js';
import type { PanelOptions } from '../../../adapters/panel/index.js';
import {
  OPERATOR,
  parseDeveloperId,
  type AutomationRules,
  type Core,
  type RuleActor,
} from '../../../application/index.js';
import { DomainError } from '../../../domain/errors.js';
import { byUserCookie, hostCore, olgaIn, serve } from '../../support/host-pages.js';
import { historyRowsIn, newKeyIn, Visitor } from '../../support/panel-visitor.js';
import type { Listening } from '../../support/socket.js';

const ADA = parseDeveloperId('ada');
const DRAFT = { title: 'Sort my inbox', description: 'Labels.', price: '9.99', categoryId: 'email' };

describe('The panel of a host that signs its own users in', () => {
  let core: Core;
  let server: Listening;
  let failures: unknown[];

  async function start(options: PanelOptions = {}): Promise<void> {
    const onError = (error: unknown) => void failures.push(error);
    server = await serve(createPanel(core, { authenticate: byUserCookie, onError, ...options }));
  }

  function visitor(name?: string): Visitor {
    const one = new Visitor(server.url);
    if (name !== undefined) one.cookies.set('user', name);
    return one;
  }

  beforeEach(async () => {
    [core, failures] = [await hostCore(), []];
  });
  afterEach(() => server.close());

  it('gives a seller a key, a public name and a history, without an account or a cookie of ours', async () => {
    await start();
    const ada = visitor('ada');
    const first = await ada.open('/panel');
    expect([first.status, first.headers.has('set-cookie')]).to.deep.equal([200, false]);
    expect(first.body).to.include('Ada Lovelace').and.not.include('sign-out');
    const fields = [
      ['name', 'ci'],
      ['expires', '90'],
      ['scopes', 'automations:read'],
    ] as const;
    await ada.open('/panel/keys');
    const key = newKeyIn((await ada.submit('/panel/keys', fields)).body);
    expect(await core.verifier.verify(key)).to.include({ developerId: 'ada' });
    await ada.open('/panel/account');
    expect((await ada.submit('/panel/account/profile', { publicName: 'Engines', website: '' })).status).to.equal(303);
    expect(await core.profiles.show(ADA)).to.include({ name: 'Engines' });
    await ada.open('/panel/automations/new');
    expect((await ada.submit('/panel/automations/new', DRAFT)).status).to.equal(303);
    const rows = historyRowsIn((await ada.open('/panel/history')).body).join('\n');
    expect(rows).to.include('Sort my inbox').and.include('ci');
    expect((await ada.open('/panel/operator/developers')).status).to.equal(404);
  });

  it('gives an operator their pages, under the audited account, and a buyer nothing to sell', async () => {
    await core.keys.issue(OPERATOR, { developer: 'ada' });
    await start();
    const olga = visitor('olga');
    const list = await olga.open('/panel/operator/developers');
    expect(list.status).to.equal(200);
    expect(list.body).to.include('/operator/developers/ada').and.not.include('name="role"');
    const one = await olga.open('/panel/operator/developers/ada');
    expect([one.status, one.body.includes('/role"')]).to.deep.equal([200, false]);
    await olga.open('/panel/operator/developers/ada/suspend');
    expect((await olga.submit('/panel/operator/developers/ada/suspend', {})).status).to.equal(303);
    const { items } = await core.audit.list(OPERATOR, { limit: 1 });
    expect(items[0]).to.include({ action: 'developer-suspended', operatorId: await olgaIn(core) });
    const bea = visitor('bea');
    expect((await bea.open('/panel/keys')).status).to.equal(200);
    expect((await bea.open('/panel/automations')).status).to.equal(404);
  });

  it('gives keys to a user whom it knows by a subject, and ends them with the user', async () => {
    await start();
    const [olga, id] = [visitor('olga'), await olgaIn(core)];
    await olga.open('/panel/keys');
    const fields = [['name', 'ci'], ['expires', '90'], ['scopes', 'automations:write']] as const; // prettier-ignore
    const first = newKeyIn((await olga.submit('/panel/keys', fields)).body);
    expect(await core.verifier.verify(first)).to.include({ developerId: id });
    const [key] = (await core.keys.list(OPERATOR, { developer: id })).items;
    const at = `/panel/keys/${key?.id}`;
    await olga.open(`${at}/rotate`);
    const second = newKeyIn((await olga.submit(`${at}/rotate`, { overlap: '0' })).body);
    expect(await core.verifier.verify(first)).to.equal(undefined);
    await core.accounts.suspend(OPERATOR, id);
    expect(await core.verifier.verify(second)).to.equal(undefined);
    await core.accounts.restore(OPERATOR, id);
    expect(await core.verifier.verify(second)).to.include({ developerId: id });
    await core.keys.revoke(OPERATOR, (await core.keys.listActive(OPERATOR, id))[0]?.id ?? '');
    expect(await core.verifier.verify(second)).to.equal(undefined);
  });

  it("tells the host's rules who acts: an operator who publishes is an operator, not a seller", async () => {
    const asked: RuleActor[] = [];
    const rules: AutomationRules = (_draft, by) => {
      asked.push(by);
      return [];
    };
    core = await hostCore({ rules });
    await start();
    for (const name of ['olga', 'ada']) {
      const one = visitor(name);
      await one.open('/panel/automations/new');
      expect((await one.submit('/panel/automations/new', DRAFT)).status).to.equal(303);
    }
    expect(asked.map(({ kind, role, developerId }) => [kind, role, developerId])).to.deep.equal([
      ['operator', 'operator', await olgaIn(core)],
      ['person', 'developer', 'ada'],
    ]);
    expect(asked[0]?.origin?.requestId).to.be.a('string');
  });

  it('refuses a developer who is suspended in the store with 403, and leads them nowhere', async () => {
    await start({ signInUrl: '/login' });
    await core.keys.issue(OPERATOR, { developer: 'ada' });
    await core.accounts.suspend(OPERATOR, 'ada');
    const ada = visitor('ada');
    for (const answer of [await ada.open('/panel'), await ada.submit('/panel/keys', { name: 'ci' })]) {
      expect([answer.status, answer.headers.has('location')]).to.deep.equal([403, false]);
      expect(answer.body).to.include('suspended');
    }
    await core.accounts.restore(OPERATOR, 'ada');
    expect((await ada.open('/panel')).status).to.equal(200);
  });

  const addresses = [
    ['/login', '/panel', '/login?next=%2Fpanel'],
    ['/login?to=market', '/panel/keys?older=1', '/login?to=market&next=%2Fpanel%2Fkeys%3Folder%3D1'],
    ['https://login.example/in?next=x', '/panel/keys', 'https://login.example/in?next=%2Fpanel%2Fkeys'],
    ['/login', '/panel?next=//evil.example', '/login?next=%2Fpanel%3Fnext%3D%2F%2Fevil.example'],
  ] as const;
  for (const [signInUrl, path, location] of addresses)
    it(`leads a visitor of ${path} to ${signInUrl}, with the path to come back to`, async () => {
      await start({ signInUrl });
      const { status, headers } = await visitor().open(path);
      const wanted = new URL(location, 'http://host.invalid');
      const found = new URL(headers.get('location') ?? '', 'http://host.invalid');
      expect([status, found.origin, found.pathname]).to.deep.equal([303, wanted.origin, wanted.pathname]);
      expect([...found.searchParams]).to.deep.equal([...wanted.searchParams]);
    });

  it('names no other host to come back to, whatever the request line says', async () => {
    await start({ signInUrl: '/login', mountPath: '/market' });
    for (const path of ['//evil.example/panel', 'http://evil.example/panel', '/\\evil.example/panel']) {
      const location = (await visitor().open(path)).headers.get('location') ?? '/login?next=%2Fmarket';
      expect(new URLSearchParams(location.split('?')[1]).get('next'), path).to.match(/^\/market(?:\/panel)?$/);
    }
  });

  it('answers a visitor with 401 where there is no address to sign in', async () => {
    await start();
    for (const answer of [await visitor().open('/panel/keys'), await visitor().submit('/panel/keys', { name: 'ci' })]) {
      expect(answer.status).to.equal(401);
      expect(answer.headers.get('www-authenticate')).to.equal('Cookie realm="automation-marketplace"');
      expect(answer.headers.get('content-type')).to.equal('text/html; charset=utf-8');
    }
  });

  it('has no page to sign in, to invite, or to change a password or a role, and no link to one', async () => {
    await core.keys.issue(OPERATOR, { developer: 'ada' });
    await start();
    const olga = visitor('olga');
    const pages = ['/panel', '/panel/account', '/panel/operator/developers', '/panel/operator/developers/ada'];
    const bodies = await Promise.all(pages.map(async (path) => (await olga.open(path)).body));
    const link = /(?:href|action)="[^"]*(?:sign-in|sign-out|password|sessions|welcome|role)[^"]*"/;
    for (const [at, body] of bodies.entries()) expect(link.exec(body)?.[0], pages[at]).to.equal(undefined);
    expect(bodies[2]).to.not.include('method="post"');
    const token = 'A'.repeat(32);
    for (const path of ['sign-in', `welcome/${token}`, 'account/password', 'account/sign-in-name'])
      expect((await olga.open(`/panel/${path}`)).status, path).to.equal(404);
    const forms = ['sign-in', 'sign-out', 'account/password', 'account/sign-in-name', 'account/sign-out-everywhere'];
    for (const path of [...forms, `account/sessions/${token}/end`, `welcome/${token}`, 'operator/developers/ada/role'])
      expect((await olga.submit(`/panel/${path}`, {})).status, path).to.equal(404);
    expect((await olga.submit('/panel/operator/developers', { developer: 'eve' })).status).to.equal(405);
  });

  it('refuses the forms of other sites, and those that were opened as another user', async () => {
    await start();
    const ada = visitor('ada');
    await ada.open('/panel/keys');
    const fields = { name: 'ci', expires: '90', scopes: 'automations:read' };
    const foreign: readonly Readonly<Record<string, string | undefined>>[] = [
      { Origin: 'https://evil.example' },
      { Origin: 'null' },
      { Origin: undefined },
      { 'Sec-Fetch-Site': 'cross-site' },
      { 'Sec-Fetch-Site': 'same-site' },
      { Origin: undefined, 'Sec-Fetch-Site': 'none' },
    ];
    for (const headers of foreign)
      expect((await ada.submit('/panel/keys', fields, { headers })).status, JSON.stringify(headers)).to.equal(403);
    ada.cookies.set('user', 'bea');
    expect((await ada.submit('/panel/keys', fields)).status).to.equal(403);
    for (const developer of ['ada', 'bea'])
      expect(
        await core.keys.listActive({ isSignedIn: true, developerId: parseDeveloperId(developer), role: 'buyer' }),
      ).to.deep.equal([]);
  });

  it('is asked once for each request', async () => {
    let calls = 0;
    await start({ authenticate: (request) => ((calls += 1), byUserCookie(request)) });
    await visitor('ada').open('/panel/keys');
    expect(calls).to.equal(1);
  });
});

const LATER = new Proxy(
  { developerId: 'ada', role: 'operator' },
  {
    get: () => {
      throw new Error('it cannot be read');
    },
  },
);
const HOSTILE: readonly (readonly [what: string, returned: () => unknown])[] = [
  ['a string', () => 'ada'],
  ['an empty string', () => ''],
  ['true', () => true],
  ['a number', () => 0],
  ['a list', () => [{ developerId: 'ada', role: 'operator' }]],
  ['an empty object', () => ({})],
  ['a function', () => () => ({ developerId: 'ada', role: 'operator' })],
  ['an unknown role', () => ({ developerId: 'ada', role: 'admin' })],
  ['no role', () => ({ developerId: 'ada' })],
  ['a list of roles', () => ({ developerId: 'ada', role: ['operator'] })],
  ['a caller in place of a user', () => ({ developerId: 'ada', scopes: ['automations:read'] })],
  ['an id that is no slug', () => ({ developerId: 'Ada Lovelace', role: 'operator' })],
  ['an empty subject', () => ({ subject: '', role: 'operator' })],
  ['a subject that is too long', () => ({ subject: 'a'.repeat(256), role: 'operator' })],
  ['a subject of two lines', () => ({ subject: 'a\nb', role: 'operator' })],
  ['a subject that is no text', () => ({ subject: 7, role: 'operator' })],
  ['a subject and an id', () => ({ subject: 'ada', developerId: 'ada', role: 'operator' })],
  ['an id that is too long', () => ({ developerId: 'a'.repeat(65), role: 'operator' })],
  ['an id that is an object', () => ({ developerId: { toString: () => 'ada' }, role: 'operator' })],
  ['a name that is no text', () => ({ developerId: 'ada', role: 'operator', name: {} })],
  ['a name that is too long', () => ({ developerId: 'ada', role: 'operator', name: 'a'.repeat(256) })],
  ['a name of two lines', () => ({ developerId: 'ada', role: 'operator', name: 'a\nb' })],
  ['an object that cannot be read', () => LATER],
  ['a promise of a string', async () => 'ada'],
  ['a promise that rejects', () => Promise.reject(new Error('away'))],
  // oxlint-disable-next-line typescript/prefer-promise-reject-errors
  ['a promise that rejects with nothing', () => Promise.reject()],
  [
    'an error of the core',
    () => {
      throw new DomainError('not-found', 'no-such-key', 'mine');
    },
  ],
  [
    'an error with a status',
    () => {
      throw Object.assign(new Error('mine'), { status: 404, expose: true });
    },
  ],
];

describe('A host whose authenticate returns or throws', () => {
  for (const [what, returned] of HOSTILE)
    it(`${what}: the visitor gets a page with 500, and onError the reason`, async () => {
      const failures: unknown[] = [];
      const onError = (error: unknown) => void failures.push(error);
      const authenticate = () => returned() as never;
      const server = await serve(createPanel(await hostCore(), { authenticate, onError, signInUrl: '/login' }));
      const eve = new Visitor(server.url);
      for (const answer of [await eve.open('/panel/keys'), await eve.submit('/panel/keys', { name: 'ci' })]) {
        expect([answer.status, answer.headers.get('content-type')]).to.deep.equal([500, 'text/html; charset=utf-8']);
        // The random id of the request may have the letters within it.
        expect(answer.body).to.not.match(/\bada\b/);
      }
      expect(failures).to.have.length(2);
      await server.close();
    });

  it('a user without the right shape: the error names what is wrong', async () => {
    const failures: unknown[] = [];
    const onError = (error: unknown) => void failures.push(error);
    const authenticate = () => ({ developerId: 'ada', role: 'admin' }) as never;
    const server = await serve(createPanel(await hostCore(), { authenticate, onError }));
    await new Visitor(server.url).open('/panel');
    await server.close();
    expect(String(failures[0])).to.equal(
      "TypeError: role that the host's sign-in returns must be one of buyer, developer, operator",
    );
  });
});

describe('The options of a sign-in of the host', () => {
  it('are refused when they cannot be meant', async () => {
    const core = await hostCore();
    const authenticate = byUserCookie;
    const wrong: readonly (readonly [options: object, message: string])[] = [
      [{ authenticate: 'ada' }, 'authenticate must be a function'],
      [{ signInUrl: '/login' }, 'signInUrl must come with authenticate'],
      [{ issuer: 'host' }, 'issuer must come with authenticate'],
      ...['', 7, 'a\nb', 'a'.repeat(256)].map(
        (issuer) => [{ authenticate, issuer }, 'issuer must be a text of 1 to 255'] as const,
      ),
      ...['', 'login', '//evil.example', '/\\evil.example', 'javascript:alert(1)', 'https://', 7].map(
        (signInUrl) => [{ authenticate, signInUrl }, 'signInUrl must be a path'] as const,
      ),
    ];
    for (const [options, message] of wrong)
      expect(() => createPanel(core, options), JSON.stringify(options)).to.throw(TypeError, message);
  });
});
