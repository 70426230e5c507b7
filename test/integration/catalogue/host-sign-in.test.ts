import { expect } from 'chai';
import { createCatalogue, type CatalogueOptions } from '../../../adapters/catalogue/index.js';
import { OPERATOR, type Core } from '../../../application/index.js';
import { byUserCookie, hostCore, serve } from '../../support/host-pages.js';
import { Visitor } from '../../support/panel-visitor.js';
import type { Listening, Sent } from '../../support/socket.js';

describe('The catalogue of a host that signs its own users in', () => {
  let core: Core;
  let server: Listening;
  let failures: unknown[];

  async function start(options: CatalogueOptions = {}): Promise<void> {
    const onError = (error: unknown) => void failures.push(error);
    server = await serve(createCatalogue(core, { authenticate: byUserCookie, onError, ...options }));
  }

  function open(path: string, name?: string): Promise<Sent> {
    const one = new Visitor(server.url);
    if (name !== undefined) one.cookies.set('user', name);
    return one.open(path);
  }

  beforeEach(async () => {
    [core, failures] = [await hostCore(), []];
  });
  afterEach(() => server.close());

  it('is for its users by default, and links to no panel and no sign-out that are not there', async () => {
    await start();
    const { status, headers, body } = await open('/catalogue', 'ada');
    expect([status, headers.get('cache-control')]).to.deep.equal([200, 'private, no-cache']);
    expect(body).to.include('Ada Lovelace').and.not.include('/panel');
    expect((await open('/catalogue')).status).to.equal(401);
  });

  it('links to the panel next to it, and not to its sign-in', async () => {
    await start({ panel: true });
    const { body } = await open('/catalogue', 'ada');
    expect(body).to.include('/panel/keys').and.not.include('sign-out').and.not.include('sign-in');
    expect(body).to.not.include('/panel/apps').and.not.include('/panel/connected');
  });

  it('links to the pages about apps where the panel has them', async () => {
    await start({ panel: true, apps: true });
    const { body } = await open('/catalogue', 'ada');
    expect(body).to.include('href="/panel/apps"').and.include('href="/panel/connected"');
  });

  it('leads other visitors to the sign-in of the host and back; a feed reader gets 401', async () => {
    await start({ signInUrl: 'https://login.example/in', panel: true });
    for (const path of ['/catalogue?q=inbox', '/catalogue/nothing', '/catalogue/developers/ada']) {
      const { status, headers } = await open(path);
      const url = new URL(headers.get('location') ?? '');
      expect([status, url.host, url.searchParams.get('next')]).to.deep.equal([303, 'login.example', path]);
    }
    expect((await open('/catalogue/feed.atom')).status).to.equal(401);
    expect((await open('/catalogue/feed.atom', 'bea')).status).to.equal(200);
  });

  it('shows a suspended user what everybody sees: all of a public one, nothing of another', async () => {
    await core.keys.issue(OPERATOR, { developer: 'ada' });
    await core.accounts.suspend(OPERATOR, 'ada');
    await start({ signInUrl: '/login' });
    const refused = await open('/catalogue', 'ada');
    expect([refused.status, refused.headers.has('location')]).to.deep.equal([403, false]);
    await server.close();
    await start({ visibility: 'public' });
    const shown = await open('/catalogue', 'ada');
    expect([shown.status, shown.body.includes('Ada Lovelace')]).to.deep.equal([200, false]);
  });

  it('has a page with 500 for what is no user, also where it is public', async () => {
    await start({ authenticate: () => 'ada' as never, visibility: 'public' });
    for (const path of ['/catalogue', '/catalogue/feed.atom', '/sitemap.xml'])
      expect((await open(path)).status, path).to.equal(500);
    expect(failures).to.have.length(3);
  });
});
