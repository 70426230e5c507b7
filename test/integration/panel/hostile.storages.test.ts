import { expect } from 'chai';
import { OPERATOR, parseDeveloperId, SCOPES } from '../../../application/index.js';
import { CORE, MARKETPLACE } from '../../../composition/tokens.js';
import { PASSWORD } from '../../support/panel.js';
import { panelOnEveryStorage } from '../../support/panel-on-every-storage.js';
import { issuedKeys } from '../../support/lists.js';
import { signedIn } from '../../support/signed-in.js';

const OFFER = { title: 'One', description: 'Two', price: '3.50', categoryId: 'uncategorized' };
const KEY = { name: 'K', expires: '7', scopes: 'automations:read' };
const ADA = { developerId: parseDeveloperId('ada'), scopes: SCOPES };
const HTML = `"><img src=x onerror=alert(1)><script>alert(2)</script>'&amp;<%= 7*7 %>`;
const MARKDOWN = [
  HTML,
  '[x](javascript:alert(1)) [y](<JavaScript:alert(1)>) [z](data:text/html,1) <javascript:alert(1)> javascript:alert(1)',
  '[out](/panel/sign-out) [v]',
  '![i](https://x.example/z.png)',
  '',
  '[v]: vbscript:alert(1)',
].join('\n');

panelOnEveryStorage('Against the panel', (stage) => {
  const keysOf = () => issuedKeys(stage.service.container.get(CORE).keys, signedIn(ADA));

  it('a welcome link is worth nothing once it was used, replaced, altered or made up', async () => {
    const [first, link] = [await stage.service.invite('ada'), await stage.service.invite('ada')].map(
      (one) => new URL(one).pathname,
    );
    await stage.stranger().accept(`http://x${String(link)}`, 'ada');
    const altered = `${String(link).slice(0, -1)}${String(link).endsWith('A') ? 'B' : 'A'}`;
    for (const path of [
      first,
      link,
      altered,
      '/panel/welcome/x',
      `/panel/welcome/${'%00'.repeat(32)}`,
      '/panel/welcome/%E0%A4%A',
    ]) {
      const thief = stage.stranger();
      expect((await thief.open(String(path))).status, path).to.equal(404);
      const taken = await thief.submit(String(path), { name: 'thief', password: PASSWORD }, { withToken: false });
      expect([taken.status, taken.headers.getSetCookie().length], path).to.deep.equal([404, 0]);
    }
    expect((await stage.stranger().signIn('ada')).status).to.equal(303);
  });

  it('of two who use a welcome link at once one gets in', async () => {
    const path = new URL(await stage.service.invite('ada')).pathname;
    const answers = await Promise.all(
      ['one', 'two', 'three'].map((name) =>
        stage.stranger().submit(path, { name, password: PASSWORD }, { withToken: false }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([303, 404, 404]);
  });

  it('a session is over once it was signed out, also for one who has its cookie', async () => {
    const ada = await stage.developer('ada');
    const thief = stage.stranger();
    for (const [name, value] of ada.cookies) thief.cookies.set(name, value);
    expect((await thief.open('/panel/keys')).status).to.equal(200);
    expect((await ada.submit('/panel/sign-out', {})).headers.get('set-cookie')).to.match(/^panel-session=; Max-Age=0/);
    expect((await thief.open('/panel')).headers.get('location')).to.equal('/panel/sign-in?notice=ended');
    thief.token = ada.token;
    const refused = await thief.submit('/panel/keys', KEY);
    expect([refused.status, refused.body.includes('<h1>Sign in</h1>')]).to.deep.equal([403, true]);
    expect(await keysOf()).to.deep.equal([]);
  });

  it('a session that was planted before the sign-in is not the one after it, and ends', async () => {
    const mallory = await stage.developer('mallory');
    const planted = mallory.cookies.get('panel-session') ?? '';
    await stage.developer('ada');
    const ada = stage.stranger();
    for (const value of ['planted-planted-planted-planted1', planted]) {
      ada.cookies.set('panel-session', value);
      expect((await ada.signIn('ada@example.com')).status).to.equal(303);
      expect(ada.cookies.get('panel-session'))
        .to.match(/^[\w-]{32}$/)
        .and.not.equal(value);
    }
    expect((await ada.open('/panel/keys')).body).to.include('ada@example.com');
    expect((await mallory.open('/panel/keys')).status).to.equal(303);
  });

  it('a form of another site does nothing, whatever it sends', async () => {
    const ada = await stage.developer('ada');
    const others = [
      { Origin: 'https://evil.example' },
      { Origin: `${stage.service.url}.evil.example` },
      { Origin: stage.service.url.replace(/:\d+$/, ':1') },
      { Origin: 'null' },
      { Origin: undefined },
      { Origin: 'garbage' },
      { Origin: stage.service.url, 'Sec-Fetch-Site': 'cross-site' },
      { Origin: stage.service.url, 'Sec-Fetch-Site': 'same-site' },
      { Origin: undefined, 'Sec-Fetch-Site': 'none' },
    ];
    const link = new URL(await stage.service.invite('bob')).pathname;
    for (const headers of others) {
      const paths = [
        '/panel/keys',
        '/panel/automations/new',
        '/panel/keys/x/revoke',
        '/panel/automations/x/revise',
        '/panel/automations/x/withdraw',
        '/panel/sign-out',
        '/panel/sign-in',
        link,
      ];
      for (const path of paths)
        expect(
          (await ada.submit(path, { ...KEY, ...OFFER }, { headers })).status,
          `${path} ${JSON.stringify(headers)}`,
        ).to.equal(403);
    }
    expect(await keysOf()).to.deep.equal([]);
    expect((await ada.open('/panel/keys')).status).to.equal(200);
    const plain = { Origin: undefined, 'Sec-Fetch-Site': 'same-origin' };
    expect((await ada.submit('/panel/keys', KEY, { headers: plain })).status).to.equal(200);
  });

  it('a form without its token, or with that of another session, does nothing', async () => {
    const [ada, bob] = [await stage.developer('ada'), await stage.developer('bob')];
    const tokens = ['', 'x', bob.token, ada.token.slice(1), ada.cookies.get('panel-session') ?? ''];
    for (const token of tokens)
      expect((await ada.submit('/panel/keys', { ...KEY, token }, { withToken: false })).status).to.equal(403);
    expect((await ada.submit('/panel/keys', KEY, { withToken: false })).status).to.equal(403);
    const before = ada.token;
    await ada.submit('/panel/sign-out', {});
    await ada.signIn('ada@example.com');
    expect((await ada.submit('/panel/keys', { ...KEY, token: before }, { withToken: false })).status).to.equal(403);
    expect(await keysOf()).to.deep.equal([]);
  });

  it('a revocation without the token of the session is asked for again, and the page says why', async () => {
    const ada = await stage.developer('ada');
    await ada.createKey('Laptop');
    const path = `/panel/keys/${String((await keysOf())[0]?.id)}/revoke`;
    const answer = await ada.submit(path, { token: 'of an earlier session' }, { withToken: false });
    expect(answer.status).to.equal(403);
    expect(answer.body).to.include('Revoke this key?').and.include('Nothing was done yet');
    expect((await ada.submit(path, {})).status).to.equal(303);
  });

  it('another developer’s keys and automations are as if there were none', async () => {
    const [ada, bob] = [await stage.developer('ada'), await stage.developer('bob')];
    await ada.createKey('Laptop');
    const key = String((await keysOf())[0]?.id);
    const { id } = await stage.service.container.get(MARKETPLACE).createAutomation(ADA, { ...OFFER, price: 1 });
    const ofKey = [`keys/${key}/rotate`, `keys/${key}/revoke`];
    const forms = [...ofKey, `automations/${id}/revise`, `automations/${id}/withdraw`];
    for (const path of [...forms, `automations/${id}`])
      expect((await bob.open(`/panel/${path}`)).status, path).to.equal(404);
    for (const path of forms)
      expect((await bob.submit(`/panel/${path}`, { ...OFFER, overlap: '0', reason: '' })).status, path).to.equal(404);
    expect((await bob.open(`/panel/automations?before=${id}`)).body).to.not.include('>One<');
    expect((await keysOf()).filter(({ revokedAt }) => revokedAt)).to.deep.equal([]);
    expect((await ada.open(`/panel/automations/${id}`)).status).to.equal(200);
  });

  it('HTML in any field is text, wherever it is shown', async () => {
    const ada = stage.stranger();
    await ada.accept(await stage.service.invite('ada'), HTML);
    await ada.createKey(HTML);
    const offer = { title: HTML, description: HTML, price: HTML, categoryId: HTML, step: 'preview', formId: HTML };
    const shown = [
      await stage.stranger().signIn(HTML, 'wrong'),
      await ada.submit('/panel/keys', { name: HTML.repeat(2), expires: HTML, scopes: HTML }),
      await ada.submit('/panel/automations/new', offer),
      await ada.submit('/panel/automations/new', { ...offer, price: '1', categoryId: 'uncategorized' }),
    ];
    const published = await ada.submit('/panel/automations/new', { ...OFFER, title: HTML, description: HTML });
    const address = published.headers.get('location') ?? '';
    const key = String((await keysOf())[0]?.id);
    for (const path of [
      address,
      `${address.replace(/\?.*/, '')}/revise`,
      `${address.replace(/\?.*/, '')}/withdraw`,
      '/panel/keys',
      '/panel/automations',
      '/panel/history',
      `/panel/keys/${key}/rotate`,
      `/panel/keys/${key}/revoke`,
    ])
      shown.push(await ada.open(path));
    shown.push(
      await ada.open(`/panel/sign-in?notice=${encodeURIComponent(HTML)}`),
      await ada.open(`/panel/${encodeURIComponent(HTML)}`),
    );
    for (const { body } of shown) expect(body).to.not.match(/<img src=x|<script>|>49</);
    expect(shown.filter(({ body }) => body.includes('&lt;script&gt;')).length).to.be.at.least(10);
  });

  it('a description in Markdown shows nothing active, in a preview or once it is published', async () => {
    const ada = await stage.developer('ada');
    const offer = { ...OFFER, description: MARKDOWN };
    const published = await ada.submit('/panel/automations/new', offer);
    const address = String(published.headers.get('location')).replace(/\?.*/, '');
    const shown = [
      await ada.submit('/panel/automations/preview', offer),
      await ada.submit('/panel/automations/new', { ...offer, step: 'preview' }),
      await ada.submit(`${address}/revise`, { ...offer, step: 'preview' }),
      await ada.open(address),
      await ada.open(`${address}/revise`),
      await ada.open(`${address}/withdraw`),
    ];
    for (const { body } of shown) {
      const description = /<div class="prose">(.*?)<\/div>/s.exec(body)?.[1] ?? expect.fail(body);
      const tags = Array.from(description.matchAll(/<[^/][^>]*>/g), ([tag]) => tag);
      expect(new Set(tags)).to.deep.equal(
        new Set(['<p dir="auto">', '<br>', '<a rel="nofollow ugc noopener" href="https://x.example/z.png">']),
      );
      expect(description).to.include('&lt;script&gt;').and.include('[x](javascript:alert(1))');
    }
  });

  it('a body that is none, too large, compressed or broken is refused', async () => {
    const ada = await stage.developer('ada');
    const form = 'application/x-www-form-urlencoded';
    const rows: readonly (readonly [number, string, Readonly<Record<string, string>>])[] = [
      [415, '{}', { 'Content-Type': 'application/json' }],
      [415, 'x', { 'Content-Type': 'multipart/form-data; boundary=x' }],
      [415, 'a=b', { 'Content-Type': '' }],
      [415, 'a=b', { 'Content-Encoding': 'gzip' }],
      [413, `name=${'x'.repeat(192 * 1024)}`, {}],
      [413, `name=${'x'.repeat(192 * 1024)}`, { 'Transfer-Encoding': 'chunked' }],
      [400, 'name=%', {}],
      [400, 'name=%FF%FE', {}],
      [400, 'name=%ED%A0%80', {}],
      [400, 'name=\u00e4', {}],
      [403, '', {}],
      [403, 'token[]=x&token=', {}],
      [413, '&'.repeat(100_000), {}],
      [403, '__proto__=x&constructor=y', { 'Content-Type': `${form}; charset=utf-8` }],
    ];
    for (const [status, body, headers] of rows)
      expect(
        (await ada.post('/panel/keys', body, headers)).status,
        `${body.slice(0, 30)} ${JSON.stringify(headers)}`,
      ).to.equal(status);
    expect(await keysOf()).to.deep.equal([]);
    expect((await ada.open('/panel/keys')).status).to.equal(200);
  });

  it('a form with more fields than any has is refused, with a session and without', async () => {
    const ada = await stage.developer('ada');
    for (const visitor of [ada, stage.stranger()])
      for (const path of ['/panel/keys', '/panel/automations/new', '/panel/account/profile', '/panel/sign-in']) {
        const status = async (count: number) => (await visitor.post(path, Array(count).fill('a=b').join('&'))).status;
        expect(await status(101), path).to.equal(413);
        expect(await status(100), path).not.to.equal(413);
      }
  });

  it('wrong passwords are slowed, with a time that is true, and the right one still gets in', async () => {
    await stage.developer('ada');
    const guesser = stage.stranger();
    const statuses: number[] = [];
    for (let n = 0; n < 8; n += 1) statuses.push((await guesser.signIn('bob@example.com', `wrong-${n}`)).status);
    expect(statuses.slice(0, 5)).to.deep.equal([403, 403, 403, 403, 403]);
    const slowed = await guesser.signIn('bob@example.com', 'wrong');
    expect(slowed.status).to.equal(429);
    expect(Number(slowed.headers.get('retry-after'))).to.be.within(1, 60);
    expect(slowed.body)
      .to.include('Too many failed attempts. Try again in ')
      .and.include('value="bob@example.com"')
      .and.not.include('wrong-');
    expect((await stage.stranger().signIn('ada@example.com')).status).to.equal(303);
  });

  it('nothing tells whether somebody has a name', async () => {
    await stage.developer('ada');
    const said = async (name: string) => {
      const { status, body } = await stage.stranger().signIn(name, 'wrong-wrong-wrong');
      return `${status} ${body.replaceAll(name, 'NAME')}`;
    };
    expect(await said('ada@example.com')).to.equal(await said('nobody@example.com'));
  });

  it('a suspended developer’s session ends, also amid a form, and so does their sign-in', async () => {
    const ada = await stage.developer('ada');
    const accounts = stage.service.container.get(CORE).accounts;
    await accounts.suspend(OPERATOR, 'ada');
    const refused = await ada.submit('/panel/keys', KEY);
    expect([refused.status, refused.body.includes('<h1>Sign in</h1>')]).to.deep.equal([403, true]);
    expect((await ada.open('/panel/keys')).status).to.equal(303);
    expect((await stage.stranger().signIn('ada@example.com')).status).to.equal(403);
    expect((await stage.stranger().open(new URL(await stage.service.invite('ada')).pathname)).status).to.equal(404);
    expect(await keysOf()).to.deep.equal([]);
  });

  it('addresses with other things in them lead nowhere and break nothing', async () => {
    const ada = await stage.developer('ada');
    const rows: readonly (readonly [number, string])[] = [
      [404, '/panel/keys/%00/revoke'],
      [404, '/panel/keys/..%2f..%2fetc/revoke'],
      [404, '/panel/automations/__proto__'],
      [404, '/panel/automations/%E0%A4%A'],
      [200, '/panel/automations?before=x&trail=%3Cscript%3E'],
      [200, '/panel/automations?before=00000000-0000-0000-0000-000000000000'],
      [200, `/panel/history?before=${'f'.repeat(36)}&trail=${'a'.repeat(4000)}`],
      [200, '/panel/keys?notice=__proto__'],
      [200, '/panel/keys?notice=%3Cscript%3E&notice=x'],
      [400, `/panel/keys?\u007f`],
      [414, `/panel/keys?${'x'.repeat(9000)}`],
      [404, '/panel/..%2fapi/automations'],
      [401, '/api/panel'],
    ];
    for (const [status, path] of rows) {
      const { status: answered, body } = await ada.open(path);
      expect(answered, path.slice(0, 60)).to.equal(status);
      expect(body, path.slice(0, 60)).to.not.include('class="notice"');
    }
  });

  it('passwords, keys and tokens stand in no log line, history, error, or page but one', async () => {
    const link = new URL(await stage.service.invite('ada')).pathname;
    const ada = stage.stranger();
    await ada.submit(link, { name: 'ada', password: 'password1234' }, { withToken: false });
    await ada.accept(`http://x${link}`, 'ada');
    const key = await ada.createKey('Laptop');
    await stage.stranger().signIn('ada', 'canary-password');
    await ada.post('/panel/keys', `name=${key}&token=${ada.token}&x=%`);
    const pages = [
      '/panel/keys',
      '/panel/automations',
      '/panel/history',
      `/panel/keys/${String((await keysOf())[0]?.id)}/rotate`,
      '/panel/nothing',
    ];
    const seen = await Promise.all(pages.map(async (path) => (await ada.open(path)).body));
    await stage.service.container.get(CORE).audit.settled();
    const told = [
      ...stage.service.logged,
      ...seen,
      JSON.stringify(await stage.service.container.get(CORE).audit.list(signedIn(ADA))),
    ].join('\n');
    const session = ada.cookies.get('panel-session') ?? 'none';
    for (const secret of [
      key,
      key.slice(4, 34),
      PASSWORD,
      'password1234',
      'canary-password',
      session,
      link.split('/').at(-1) ?? 'none',
    ])
      expect(told.includes(secret), secret).to.equal(false);
  });
});
