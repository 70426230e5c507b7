import { expect } from 'chai';
import { createPanel, type PanelOptions } from '../../../adapters/panel/index.js';
import type { ConsentQuestion } from '../../../adapters/web/consents.js';
import { Passwords } from '../../../application/accounts.js';
import { OPERATOR, type Core } from '../../../application/index.js';
import { byUserCookie, hostCore, serve } from '../../support/host-pages.js';
import { Visitor } from '../../support/panel-visitor.js';
import { Questions } from '../../support/questions.js';
import type { Listening, Sent } from '../../support/socket.js';

const GONE = 'This request has expired or was opened in another browser. Start again in the app.';

describe('The page on which a person allows an app to act for them', () => {
  let core: Core;
  let server: Listening;
  let questions: Questions;
  let ada: Visitor;

  async function start(options: PanelOptions = {}): Promise<void> {
    core = await hostCore({ passwords: new Passwords({ cost: 4 }) });
    questions = new Questions(core);
    server = await serve(createPanel(core, { consents: questions, ...options }));
    ada = new Visitor(server.url);
  }

  async function member(name: string, role = 'developer'): Promise<Visitor> {
    const { token } = await core.accounts.invite(OPERATOR, name, { role });
    const visitor = new Visitor(server.url);
    await visitor.accept(`${server.url}/panel/welcome/${token}`, `${name}@example.com`);
    return visitor;
  }

  /** Has an app ask in the browser of a visitor, and returns the address of the question. */
  function ask(visitor: Visitor, question: Partial<ConsentQuestion> = {}): string {
    const id = questions.ask(question);
    visitor.cookies.set('question', id);
    return `/panel/consent/${id}`;
  }

  async function shown(question: Partial<ConsentQuestion>, visitor = ada): Promise<Sent> {
    return visitor.open(ask(visitor, question));
  }

  const connections = async () => {
    const by = { isSignedIn: true, developerId: 'ada', role: 'developer' } as never;
    return (await core.connections?.list(by))?.items ?? [];
  };

  beforeEach(async () => {
    await start();
    ada = await member('ada');
  });
  afterEach(() => server.close());

  it('says which app asks, who registered it, for which account, its rights and its address', async () => {
    const { status, body } = await shown({});
    const text = textOf(body);
    expect(status).to.equal(200);
    for (const part of [
      'Allow this app?',
      'App Ledger Registered by @bob Your account ada@example.com',
      'It may List and read the automations on sale and the categories. Publish automations in your name.',
      'Through the API Afterwards You go to ledger.example',
      'Allow Cancel',
      'End it any time under Connected apps',
    ])
      expect(text).to.include(part);
    expect(text).to.not.include('your own computer').and.not.include('Your role');
    expect(body).to.include('href="/panel/connected"');
  });

  it('shows the public name of the developer who registered the app', async () => {
    await core.profiles.change({ isSignedIn: true, developerId: 'bob', role: 'developer' } as never, {
      publicName: 'Bob & Sons',
    });
    expect((await shown({})).body).to.include('<bdi>Bob &amp; Sons</bdi>');
  });

  it('says of an app with a metadata document alone where that is, and whether it is for agents', async () => {
    const { body } = await shown({
      clientId: 'https://agent.example/client.json',
      registeredBy: undefined,
      audience: 'agents',
    });
    const text = textOf(body);
    expect(text).to.include('Not registered here: it describes itself at agent.example.');
    expect(text).to.include('Through the tools for agents');
  });

  it('shows a name of an app as text, in its own direction of writing', async () => {
    const { body } = await shown({ name: '<b onclick="x">שלום' });
    expect(body).to.include('<bdi>&lt;b onclick=&quot;x&quot;&gt;שלום</bdi>');
  });

  it('names the scheme of an app in place of a host that it does not lead to', async () => {
    const text = textOf((await shown({ redirectUri: 'com.example.app://bank.example/back' })).body);
    expect(text)
      .to.include('Afterwards You go to an app on this device (com.example.app)')
      .and.not.include('bank.example');
  });

  for (const redirectUri of ['http://localhost:51004/back', 'http://127.0.0.1/back', 'http://[::1]:8080/back'])
    it(`warns that any program of the computer may ask when the answer goes to ${redirectUri}`, async () => {
      const text = textOf((await shown({ redirectUri })).body);
      expect(text).to.include('Did you just start this app yourself?');
      expect(text).to.include(`your own computer (${new URL(redirectUri).host})`);
    });

  for (const [redirectUri, sources] of [
    ['https://ledger.example/back', "'self' https://ledger.example"],
    ['https://ledger.example:8443/a;b,c', "'self' https://ledger.example:8443"],
    ['http://localhost:51004/back', "'self' http://localhost:51004"],
    ['http://[::1]:8080/back', "'self' http:"],
    ['com.example.app:/back', "'self' com.example.app:"],
    ['https://evil.example;sandbox/back', "'self' https:"],
    ["https://a,default-src'*'/back", "'self' https:"],
    ['https://*/back', "'self' https:"],
    [undefined, "'self'"],
  ] as const)
    it(`lets its form lead on to ${redirectUri ?? 'no address'} alone`, async () => {
      const { headers } = await shown({ redirectUri });
      const policy = headers.get('content-security-policy');
      expect(policy).to.equal(
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
          `form-action ${sources}; base-uri 'none'; frame-ancestors 'none'`,
      );
    });

  it('leaves the policy of every other page as it is', async () => {
    await shown({});
    const { headers } = await ada.open('/panel/keys');
    expect(headers.get('content-security-policy')).to.include("form-action 'self';");
  });

  it('leads on to the app with the consent of the person who pressed Allow', async () => {
    const path = ask(ada);
    await ada.open(path);
    const { status, headers } = await ada.submit(path, { answer: 'allow' });
    expect([status, headers.get('location')]).to.deep.equal([303, 'https://ledger.example/back?code=1']);
    expect(questions.answers).to.deep.equal(['allowed by ada']);
    expect((await connections()).map(({ name }) => name)).to.deep.equal(['Ledger']);
  });

  for (const answer of ['cancel', 'ALLOW', ''])
    it(`leads on to the app without a consent when the answer is "${answer}"`, async () => {
      const path = ask(ada);
      await ada.open(path);
      const { status, headers } = await ada.submit(path, { answer });
      expect([status, headers.get('location')]).to.deep.equal([303, 'https://ledger.example/back?error=access_denied']);
      expect(await connections()).to.deep.equal([]);
    });

  it('says that a request has expired when unknown, of another browser, or answered before', async () => {
    const path = ask(ada);
    const bob = await member('bob');
    expect((await ada.submit(path, { answer: 'allow' })).status).to.equal(303);
    for (const [visitor, gone] of [
      [ada, path],
      [bob, ask(ada)],
      [ada, '/panel/consent/unknown'],
    ] as const) {
      const [read, allowed, refused] = [
        await visitor.open(gone),
        await visitor.submit(gone, { answer: 'allow' }),
        await visitor.submit(gone, { answer: 'cancel' }),
      ];
      for (const { status, body } of [read, allowed, refused])
        expect([status, body.includes(GONE)], gone).to.deep.equal([404, true]);
    }
    expect(questions.answers).to.deep.equal(['allowed by ada']);
  });

  it('says what the role of the person does not allow, and grants the rest', async () => {
    const bea = await member('bea', 'buyer');
    const path = ask(bea);
    const text = textOf((await bea.open(path)).body);
    expect(text).to.include('It may List and read the automations on sale and the categories. Through');
    expect(text).to.include('It does not get: Publish automations in your name.');
    expect((await bea.submit(path, { answer: 'allow' })).status).to.equal(303);
  });

  it('has no button Allow where the role allows nothing, and says so again when one is sent', async () => {
    const bea = await member('bea', 'buyer');
    const path = ask(bea, { scopes: ['automations:write'] });
    const { body } = await bea.open(path);
    expect(body).to.include('Your role allows nothing of what the app asks for.').and.not.include('value="allow"');
    const sent = await bea.submit(path, { answer: 'allow' });
    expect([sent.status, sent.body.includes('role="alert"')]).to.deep.equal([403, true]);
    expect(sent.headers.get('content-security-policy')).to.include('https://ledger.example;');
    expect((await bea.submit(path, { answer: 'cancel' })).status).to.equal(303);
  });

  it('leads a visitor to the sign-in and from there back to the question', async () => {
    const elsewhere = new Visitor(server.url);
    const path = ask(elsewhere);
    const way = (await elsewhere.open(path)).headers.get('location') ?? '';
    expect(way).to.equal(`/panel/sign-in?${new URLSearchParams({ next: path }).toString()}`);
    await elsewhere.open(way);
    const fields = { name: 'ada@example.com', password: 'violin-crater-7-moss', next: path };
    const signedIn = await elsewhere.submit('/panel/sign-in', fields, { withToken: false });
    expect(signedIn.headers.get('location')).to.equal(path);
    expect((await elsewhere.open(path)).body).to.include('Ledger');
  });

  it('takes no answer from a page of an earlier session: it asks again', async () => {
    const path = ask(ada);
    const { status, body } = await ada.submit(path, { answer: 'allow', token: 'x' }, { withToken: false });
    expect([status, body.includes('You have signed in again')]).to.deep.equal([403, true]);
    const other = await ada.submit(path, { answer: 'allow' }, { headers: { Origin: 'https://evil.example' } });
    expect(other.status).to.equal(403);
    expect(questions.answers).to.deep.equal([]);
  });

  it('asks again when the session ended before the answer: signing in is no consent', async () => {
    const path = ask(ada);
    await ada.open(path);
    await ada.submit('/panel/account/sign-out-everywhere', {});
    const asked = await ada.submit(path, { answer: 'allow' });
    expect([asked.status, asked.body.includes('name="kept.answer" value="allow"')]).to.deep.equal([403, true]);
    const name = 'ada@example.com';
    const filled = { name, password: 'violin-crater-7-moss', next: path, 'kept.answer': 'allow' };
    const signedIn = await ada.submit('/panel/sign-in', filled, { withToken: false });
    expect([signedIn.status, signedIn.headers.get('location')]).to.deep.equal([307, path]);
    const again = await ada.submit(path, filled, { withToken: false });
    expect([again.status, textOf(again.body).includes('Allow this app?')]).to.deep.equal([403, true]);
    expect(questions.answers).to.deep.equal([]);
    expect((await ada.submit(path, { answer: 'allow' })).status).to.equal(303);
    expect(questions.answers).to.deep.equal(['allowed by ada']);
  });

  it('works with the sign-in of a host', async () => {
    await server.close();
    await start({ authenticate: byUserCookie, signInUrl: '/login' });
    const path = ask(ada);
    const way = (await ada.open(path)).headers.get('location') ?? '';
    expect(way).to.include('/login').and.include(encodeURIComponent(path));
    ada.cookies.set('user', 'ada');
    expect(textOf((await ada.open(path)).body)).to.include('Your account Ada Lovelace');
    expect((await ada.submit(path, { answer: 'allow' })).headers.get('location')).to.include('code=1');
  });
});

describe('A panel without an authorization server', () => {
  it('has no page about apps, and no link to one', async () => {
    const core = await hostCore();
    const server = await serve(createPanel(core, { authenticate: byUserCookie }));
    const ada = new Visitor(server.url);
    ada.cookies.set('user', 'ada');
    for (const path of ['consent/x', 'apps', 'connected'])
      expect((await ada.open(`/panel/${path}`)).status, path).to.equal(404);
    const { body } = await ada.open('/panel/keys');
    await server.close();
    expect(body).to.not.include('Your apps').and.not.include('Connected apps');
  });

  it('is not made where the storage has no records for one', async () => {
    const core = await hostCore();
    const consents = new Questions(core);
    const make = () => createPanel({ ...core, apps: undefined }, { consents });
    expect(make).to.throw(TypeError, 'consents needs a storage with oauthRecords');
  });
});

/** Returns the text of the part of a page that changes, with one space between words. */
function textOf(body: string): string {
  const main = /<main[^>]*>(.*)<\/main>/s.exec(body)?.[1] ?? '';
  return main
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .replace(/ \./g, '.')
    .trim();
}
