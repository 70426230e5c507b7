import { expect } from 'chai';
import { startPanel, type PanelService } from '../../support/panel.js';
import { Visitor } from '../../support/panel-visitor.js';

describe('The session cookie', () => {
  let service: PanelService;
  afterEach(() => service.close());

  async function cookieOf(settings: Readonly<Record<string, string>>): Promise<string> {
    service = await startPanel(settings);
    const visitor = new Visitor(service.url);
    const path = new URL(await service.invite('ada')).pathname.replace(/^.*(?=\/panel)/, '');
    const headers = settings['PUBLIC_URL'] === undefined ? {} : { Origin: new URL(settings['PUBLIC_URL']).origin };
    const form = { name: 'Ada', password: 'violin-crater-7-moss' };
    const answer = await visitor.submit(path, form, { headers, withToken: false });
    expect(answer.status).to.equal(303);
    return answer.headers.getSetCookie().join();
  }

  it('is for the browser alone, and for this site alone', async () => {
    expect(await cookieOf({})).to.match(/^panel-session=[\w-]{32}; Path=\/; HttpOnly; SameSite=Lax$/);
  });

  it('is for TLS alone where the public address is https, and has the prefix of a host', async () => {
    expect(await cookieOf({ PUBLIC_URL: 'https://market.example' })).to.match(
      /^__Host-panel-session=[\w-]{32}; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
    );
  });

  it('has name and path of the mount below a path, where browsers refuse the prefix of a host', async () => {
    expect(await cookieOf({ PUBLIC_URL: 'https://market.example/shop' })).to.match(
      /^__Secure-panel-session\.shop=[\w-]{32}; Path=\/shop; HttpOnly; SameSite=Lax; Secure$/,
    );
  });

  it('has no attributes that a mount path smuggles in', async () => {
    expect(await cookieOf({ PUBLIC_URL: 'http://market.example/a;Domain=example' })).to.match(
      /^panel-session\.a\.Domain\.example=[\w-]{32}; Path=\/; HttpOnly; SameSite=Lax$/,
    );
  });
});

describe('The panel at another public address', () => {
  let service: PanelService;
  before(async () => {
    service = await startPanel({ PUBLIC_URL: 'https://market.example/shop', TRUSTED_PROXY_HOPS: '1' });
  });
  after(() => service.close());

  it('has its links, forms and curl line there, and takes forms sent from there', async () => {
    const ada = new Visitor(service.url);
    const token = (await service.invite('ada')).split('/').at(-1) ?? '';
    const headers = { Origin: 'https://market.example', 'X-Forwarded-For': '192.0.2.7' };
    const accepted = await ada.submit(
      `/panel/welcome/${token}`,
      { name: 'Ada', password: 'violin-crater-7-moss' },
      { headers, withToken: false },
    );
    expect(accepted.headers.get('location')).to.equal('/shop/panel?notice=welcome');
    const keys = await ada.open('/panel/keys');
    expect(keys.body)
      .to.include('action="/shop/panel/keys"')
      .and.include('href="/shop/panel/automations"')
      .and.not.match(/"\/panel/);
    const created = await ada.submit(
      '/panel/keys',
      { name: 'K', expires: '7', scopes: 'automations:read' },
      { headers },
    );
    expect(created.body).to.include(' https://market.example/shop/api/categories<');
    expect((await ada.open('/panel/history')).body).to.include('192.0.2.7');
  });

  it('has no address outside of its path, and every page that it names', async () => {
    const ada = new Visitor(service.url);
    const headers = { Origin: 'https://market.example' };
    const token = (await service.invite('bob')).split('/').at(-1) ?? '';
    await ada.submit(
      `/panel/welcome/${token}`,
      { name: 'Bob', password: 'violin-crater-7-moss' },
      { headers, withToken: false },
    );
    await ada.open('/panel/keys');
    const offer = { title: 'T', description: 'D', price: '1', categoryId: 'uncategorized' };
    for (let n = 0; n < 26; n += 1)
      expect((await ada.submit('/panel/automations/new', offer, { headers })).headers.get('location')).to.match(
        /^\/shop\/panel\//,
      );
    await ada.submit('/panel/keys', { name: 'K', expires: '7', scopes: 'automations:read' }, { headers });
    const seen = new Set<string>();
    for (const path of ['/panel', '/panel/sign-in', '/panel/welcome/x', '/panel/nothing', '/panel/keys'])
      await crawl(path);
    expect([...seen].filter((path) => path.includes('page=')).length, 'pages of a list').to.be.at.least(1);
    expect(seen.size).to.be.at.least(60);

    /** Opens a page and everything that it links to. A path has no prefix, as a proxy sends it on. */
    async function crawl(path: string): Promise<void> {
      if (seen.has(path)) return;
      seen.add(path);
      const { status, body, headers: answered } = await ada.open(path);
      expect(status, path).to.satisfy((code: number) => code < 400 || /welcome\/x|nothing/.test(path));
      const attributes = Array.from(body.matchAll(/(?:href|src|action)="([^"#][^"]*)"/g), ([, one = '']) =>
        one.replaceAll('&amp;', '&'),
      );
      const addresses = path.startsWith('/panel') ? [...attributes, answered.get('location') ?? '/shop/panel'] : [];
      for (const address of addresses) {
        expect(address, path).to.match(/^\/shop\/(?:(?:panel|docs|assets|catalogue)(?:\/|\?|$)|$)/);
        if (!address.endsWith('/sign-out')) await crawl(address.slice('/shop'.length));
      }
    }
  });

  it('takes no form from its own host without TLS', async () => {
    const ada = new Visitor(service.url);
    const statusFrom = async (Origin: string) =>
      (await ada.submit('/panel/sign-in', {}, { headers: { Origin, Host: 'market.example' }, withToken: false }))
        .status;
    expect([await statusFrom('http://market.example'), await statusFrom('https://market.example')]).to.deep.equal([
      403, 403,
    ]);
    expect(
      (
        await ada.submit(
          '/panel/sign-in',
          {},
          { headers: { Origin: 'http://market.example', Host: 'market.example' }, withToken: false },
        )
      ).body,
    ).to.include('This form cannot be accepted');
  });
});

/** Returns the reasons in the log, in their order. */
function reasonsIn({ logged }: PanelService): readonly unknown[] {
  const lines = logged.map((line) => JSON.parse(line) as { readonly reason?: string });
  return lines.flatMap(({ reason }) => reason ?? []);
}

describe('A sign-in at an address where the cookie would not be kept', () => {
  let service: PanelService;
  before(async () => {
    service = await startPanel({ PUBLIC_URL: 'https://market.example' });
  });
  after(() => service.close());

  it('names the address to use, checks no password, uses up no welcome link, and is in the log', async () => {
    const visitor = new Visitor(service.url);
    const { pathname } = new URL(await service.invite('ada'));
    const form = { name: 'Ada', password: 'violin-crater-7-moss' };
    const welcome = await visitor.submit(pathname, form, { withToken: false });
    expect([welcome.status, welcome.headers.getSetCookie()]).to.deep.equal([403, []]);
    expect(welcome.body).to.include('Sign in at https://market.example/panel.');
    const headers = { Origin: 'https://market.example' };
    expect((await visitor.submit(pathname, form, { headers, withToken: false })).status).to.equal(303);
    for (const password of ['violin-crater-7-moss', 'wrong']) {
      const answer = await visitor.submit('/panel/sign-in', { name: 'Ada', password }, { withToken: false });
      expect([answer.status, answer.headers.getSetCookie()]).to.deep.equal([403, []]);
      expect(answer.body).to.include('Sign in at https://market.example/panel.');
    }
    const reason = `the form was sent from ${service.url}, and PUBLIC_URL is https://market.example`;
    expect(reasonsIn(service)).to.deep.equal([reason, reason, reason]);
  });
});

describe('A form behind a proxy that rewrites Host', () => {
  let service: PanelService;
  before(async () => {
    service = await startPanel({});
  });
  after(() => service.close());

  it('is refused with a page and a line of the log that name Origin, Host and PUBLIC_URL', async () => {
    const headers = { Origin: 'https://market.example', Host: 'backend:3000' };
    const visitor = new Visitor(service.url);
    const answer = await visitor.submit('/panel/sign-in', { name: 'a', password: 'b' }, { headers, withToken: false });
    const reason = 'Origin is https://market.example, Host is backend:3000, and PUBLIC_URL is not set';
    expect(answer.status).to.equal(403);
    expect(answer.body).to.include(reason).and.include('PUBLIC_URL must be the address in your browser');
    expect(reasonsIn(service)).to.deep.equal([reason]);
  });
});
