import { expect } from 'chai';
import { createPanel } from '../../../adapters/panel/index.js';
import { Passwords } from '../../../application/accounts.js';
import { callerOf, OPERATOR, parseDeveloperId, SCOPES, type Core } from '../../../application/index.js';
import { isSecretOf } from '../../../application/developer-apps.js';
import { byUserCookie, hostCore, olgaIn, serve } from '../../support/host-pages.js';
import { historyRowsIn, Visitor, type Fields } from '../../support/panel-visitor.js';
import { Questions } from '../../support/questions.js';
import { signedIn } from '../../support/signed-in.js';
import type { Listening } from '../../support/socket.js';

const ADA = signedIn({ developerId: parseDeveloperId('ada') });
const BOTH = [
  ['scopes', 'automations:read'],
  ['scopes', 'automations:write'],
] as const;
const LEDGER = [
  ['name', 'Ledger'],
  ['kind', 'web'],
  ['redirectUris', ' https://ledger.example/back \r\n\r\nhttp://localhost/back'],
  ...BOTH,
] as const;

describe('The pages of apps', () => {
  let core: Core;
  let server: Listening;
  let ada: Visitor;

  beforeEach(async () => {
    core = await hostCore({ passwords: new Passwords({ cost: 4 }) });
    server = await serve(createPanel(core, { authenticate: byUserCookie, consents: new Questions(core) }));
    ada = visitor('ada');
    await ada.open('/panel/apps');
  });
  afterEach(() => server.close());

  function visitor(name: string): Visitor {
    const one = new Visitor(server.url);
    one.cookies.set('user', name);
    return one;
  }

  const rows = async (one: Visitor, path: string) => historyRowsIn((await one.open(path)).body);
  const apps = async () => (await core.apps?.list(ADA))?.items ?? [];
  const registered = async (fields: Fields = LEDGER) => {
    const { body } = await ada.submit('/panel/apps', fields);
    return { body, secret: secretIn(body), id: /id="client-id"[^>]*>([^<]*)</.exec(body)?.[1] ?? '' };
  };

  it('are in the navigation next to API keys, also for a buyer', async () => {
    for (const name of ['ada', 'bea', 'olga']) {
      const { body } = await visitor(name).open('/panel/keys');
      const links = Array.from(body.matchAll(/href="(\/panel\/(?:keys|apps|connected))"/g), ([, href]) => href);
      expect(links, name).to.deep.equal(['/panel/keys', '/panel/apps', '/panel/connected']);
    }
  });

  it("are on their developer's page for operators, where one is revoked after a page that asks", async () => {
    const { id } = await registered();
    const olga = visitor('olga');
    const at = '/panel/operator/developers/ada';
    await core.accounts.invite(OPERATOR, 'ada');
    await core.accounts.invite(OPERATOR, 'eve');
    expect((await olga.open(at)).body)
      .to.include('Ledger')
      .and.include(`action="${at}/apps/${id}/revoke"`);
    const asked = await olga.open(`${at}/apps/${id}/revoke`);
    expect(asked.body).to.include('It is an app of ada.').and.include(`href="${at}"`);
    for (const wrong of [`/panel/operator/developers/eve/apps/${id}`, `${at}/apps/nothing`])
      expect((await olga.submit(`${wrong}/revoke`, {})).status, wrong).to.equal(404);
    const done = await olga.submit(`${at}/apps/${id}/revoke`, {});
    expect([done.status, done.headers.get('location')]).to.deep.equal([303, `${at}?notice=app-revoked`]);
    expect(await apps()).to.deep.equal([]);
    expect((await olga.open(`${at}?notice=app-revoked`)).body)
      .to.include('The app is revoked')
      .and.not.include('Ledger');
    expect((await core.audit.list(OPERATOR)).items[0]).to.include({ action: 'app-revoked', subject: id });
  });

  it('name the app that published, in the history of the person for whom it acted', async () => {
    const { id } = await registered([['name', 'Nightly'], ['kind', 'machine'], ...BOTH]);
    const machine = await core.connections?.findCaller({ clientId: id, connectionId: undefined, scopes: SCOPES });
    const draft = { title: 'Sort my inbox', description: 'Two', price: 3.5, categoryId: 'email' };
    await olgaIn(core);
    await core.marketplace.createAutomation(machine ?? callerOf(ADA), draft);
    for (const [name, path, who] of [
      ['ada', '/panel/history', 'You'],
      ['olga', '/panel/operator/history', 'ada'],
    ] as const)
      expect((await rows(visitor(name), path))[0]).to.equal(
        `Published Sort my inbox ${who} · * · By the app &quot;Nightly&quot;`,
      );
  });

  it('register an app, show client id and secret once, and list it', async () => {
    const { body, id, secret } = await registered();
    const [app] = await apps();
    expect(app).to.deep.include({
      id,
      name: 'Ledger',
      kind: 'web',
      redirectUris: ['https://ledger.example/back', 'http://localhost/back'],
      scopes: ['automations:read', 'automations:write'],
    });
    expect(isSecretOf(app?.secretHash ?? '', secret)).to.equal(true);
    expect(body).to.include('it is shown only once').and.not.include('id="curl"');
    const list = (await ada.open('/panel/apps')).body;
    expect(list).to.include('Ledger').and.include(id).and.include('Web server').and.not.include(secret);
    expect(list).to.include('<h1 id="title">Your apps</h1>');
  });

  it('show of a program a client id alone', async () => {
    const { body, id, secret } = await registered([
      ['name', 'Shell'],
      ['kind', 'native'],
      ['redirectUris', 'com.example.shell:/back'],
      ['scopes', 'automations:read'],
    ]);
    expect([id === '', secret, body.includes('only once')]).to.deep.equal([false, '', false]);
  });

  it('show of a machine a line that gets a token', async () => {
    const { body, id, secret } = await registered([
      ['name', 'Nightly'],
      ['kind', 'machine'],
      ['redirectUris', ''],
      ...BOTH,
    ]);
    const curl = /id="curl"[^>]*>([^<]*)</.exec(body)?.[1];
    expect(curl).to.equal(
      `curl -u ${id}:${secret} -d grant_type=client_credentials https://market.example/shop/oauth/token`,
    );
  });

  it('show of a new app where the server and its metadata are, and what its tokens are for', async () => {
    const textsOf = (body: string) =>
      ['issuer', 'metadata', 'resource'].map((id) => new RegExp(`id="${id}"[^>]*>([^<]*)<`).exec(body)?.[1]);
    const [issuer, resource] = ['https://market.example/shop/oauth', 'https://market.example/api'];
    const metadata = 'https://market.example/.well-known/oauth-authorization-server/shop/oauth';
    expect(textsOf((await registered()).body)).to.deep.equal([issuer, metadata, resource]);
    const machine: Fields = [['name', 'Nightly'], ['kind', 'machine'], ['redirectUris', ''], ...BOTH];
    expect(textsOf((await registered(machine)).body)).to.deep.equal([issuer, undefined, resource]);
  });

  it('say beside each field what is wrong, and keep what was typed', async () => {
    const { status, body } = await ada.submit('/panel/apps', { name: ' ', redirectUris: 'https://a.example#b' });
    expect(status).to.equal(422);
    for (const message of ['Name is required.', 'Choose a kind.', 'Choose at least one scope.'])
      expect(body).to.match(new RegExp(`class="message" id="\\w+-message">${message}`));
    expect(body).to.include('https://a.example#b</textarea>');
    expect(await apps()).to.deep.equal([]);
  });

  for (const [kind, redirectUris, message] of [
    ['web', '', 'Redirect addresses: give at least one. Only a machine has none.'],
    ['web', 'http://app.example/', 'Redirect addresses must begin with https://'],
    ['web', 'com.example.app:/', 'Redirect addresses must begin with https://'],
    ['native', 'javascript:alert(1)', 'or with a scheme of the app that has a dot'],
    ['machine', 'https://app.example/', 'Redirect addresses must be empty for a machine, which has no browser.'],
    ['web', 'https://a.example\n'.repeat(11), 'Redirect addresses must have at most 10 addresses.'],
  ] as const)
    it(`say of a ${kind} app with the addresses "${redirectUris.slice(0, 30)}" what is allowed`, async () => {
      const { status, body } = await ada.submit('/panel/apps', {
        name: 'A',
        kind,
        redirectUris,
        scopes: 'automations:read',
      });
      expect(status).to.equal(422);
      expect(body).to.match(new RegExp(`id="redirectUris-message">[^<]*${message.replace(/[.()]/g, '\\$&')}`));
      expect(body).to.match(new RegExp(`id="kind-${kind}"[^>]* checked`));
    });

  it('register an app once when its form is sent twice', async () => {
    const formId = /name="formId" value="([^"]+)"/.exec((await ada.open('/panel/apps')).body)?.[1] ?? '';
    const fields = [...LEDGER, ['formId', formId]] as const;
    const [first, second] = [await ada.submit('/panel/apps', fields), await ada.submit('/panel/apps', fields)];
    expect([first.status, second.status]).to.deep.equal([200, 409]);
    expect(second.body).to.include('This form was already sent').and.not.include(secretIn(first.body));
    expect(await apps()).to.have.length(1);
  });

  it('say so when a developer has as many apps as there may be', async () => {
    for (let n = 0; n < 50; n += 1) await core.apps?.register(ADA, { name: `${n}`, kind: 'machine', redirectUris: [] });
    const { status, body } = await ada.submit('/panel/apps', LEDGER);
    expect([status, body.includes('A developer has at most 50 apps')]).to.deep.equal([409, true]);
    const first = (await ada.open('/panel/apps')).body;
    const older = /rel="next" href="([^"]*)"/.exec(first)?.[1]?.replace('&amp;', '&') ?? '';
    expect((await ada.open(older)).body)
      .to.include('>29<')
      .and.include('rel="prev"');
  });

  it('change name, addresses and scopes of an app', async () => {
    const { id } = await registered();
    const page = (await ada.open(`/panel/apps/${id}`)).body;
    expect(page)
      .to.include('value="Ledger"')
      .and.include('https://ledger.example/back\nhttp://localhost/back</textarea>');
    const path = `/panel/apps/${id}`;
    const wrong = await ada.submit(path, { name: 'New', redirectUris: 'ftp://a.example', scopes: 'automations:read' });
    expect([wrong.status, wrong.body.includes('value="New"')]).to.deep.equal([422, true]);
    const fields = { name: 'Books', redirectUris: 'https://books.example/', scopes: 'automations:read' };
    const { status, headers } = await ada.submit(path, fields);
    expect([status, headers.get('location')]).to.deep.equal([303, `${path}?notice=changed`]);
    expect((await ada.open(`${path}?notice=changed`)).body).to.include('The app is changed.');
    const [app] = await apps();
    expect(app).to.deep.include({
      name: 'Books',
      redirectUris: ['https://books.example/'],
      scopes: ['automations:read'],
    });
  });

  it('make a new secret after a question, and end the old one', async () => {
    const { id, secret } = await registered();
    const question = (await ada.open(`/panel/apps/${id}/secret`)).body;
    expect(question).to.include('Make a new secret?').and.include('stops working within seconds');
    const formId = /name="formId" value="([^"]+)"/.exec(question)?.[1] ?? '';
    const { body } = await ada.submit(`/panel/apps/${id}/secret`, { formId });
    const [app] = await apps();
    expect([secret, secretIn(body)].map((one) => isSecretOf(app?.secretHash ?? '', one))).to.deep.equal([false, true]);
    expect((await ada.submit(`/panel/apps/${id}/secret`, { formId })).status).to.equal(409);
  });

  it('revoke an app after a question that says what ends with it', async () => {
    const { id } = await registered();
    await core.connections?.connect(ADA, {
      clientId: id,
      name: 'Ledger',
      scopes: ['automations:read'],
      audience: 'api',
    });
    expect((await ada.open(`/panel/apps/${id}/revoke`)).body).to.include('All its connections end');
    const { headers } = await ada.submit(`/panel/apps/${id}/revoke`, {});
    expect(headers.get('location')).to.equal('/panel/apps?notice=revoked');
    expect((await ada.open('/panel/apps?notice=revoked')).body)
      .to.include('No apps yet')
      .and.include('The app is revoked');
    expect((await core.connections?.list(ADA))?.items).to.deep.equal([]);
  });

  it('show no app of another developer', async () => {
    const { id } = await registered();
    const olga = visitor('olga');
    expect((await olga.open('/panel/apps')).body).to.not.include('Ledger');
    for (const path of ['', '/secret', '/revoke']) {
      expect((await olga.open(`/panel/apps/${id}${path}`)).status, path).to.equal(404);
      expect((await olga.submit(`/panel/apps/${id}${path}`, LEDGER)).status, path).to.equal(404);
    }
    expect((await apps())[0]).to.include({ name: 'Ledger' });
  });

  it('let a buyer register an app that reads alone', async () => {
    const bea = visitor('bea');
    const { body } = await bea.open('/panel/apps');
    expect(body).to.include('id="scope-automations:read"').and.not.include('id="scope-automations:write"');
    expect((await bea.submit('/panel/apps', LEDGER)).status).to.equal(422);
  });

  it('list connected apps with who made them, what they may do, and since when; disconnect one', async () => {
    const olga = signedIn({ developerId: parseDeveloperId('olga') });
    await core.profiles.change(olga, { publicName: 'Olga & Co' });
    const app = await core.apps?.register(olga, { name: 'Ledger', kind: 'machine', redirectUris: [] });
    const scopes = ['automations:read'] as const;
    await core.connections?.connect(ADA, { clientId: app?.app.id ?? '', name: 'Ledger', scopes, audience: 'api' });
    const clientId = 'https://agent.example/client.json';
    await core.connections?.connect(ADA, { clientId, name: '<Agent>', scopes, audience: 'agents' });
    const { body } = await ada.open('/panel/connected');
    const text = textOf(body);
    const may = 'List and read the automations on sale and the categories.';
    expect(text).to.include(`&lt;Agent&gt; Not registered here: agent.example ${may} the tools for agents`);
    expect(text).to.include(`Disconnect Ledger Registered by Olga &amp; Co ${may} the API`);
    expect(text).to.match(/the API once, since \d+ \w+ \d+ UTC until \d+ \w+ \d+ UTC never Disconnect/);
    const [, first] = (await core.connections?.list(ADA))?.items ?? [];
    const path = `/panel/connected/${first?.id}/disconnect`;
    expect((await visitor('bea').open(path)).status).to.equal(404);
    expect((await ada.open(path)).body).to.include('Disconnect this app?');
    expect((await ada.submit(path, {})).headers.get('location')).to.equal('/panel/connected?notice=disconnected');
    const later = (await ada.open('/panel/connected?notice=disconnected')).body;
    expect(later).to.include('The app is disconnected.').and.not.include('Ledger');
  });

  it('list an app once, with its connections and its last use; disconnect it everywhere', async () => {
    const connections = core.connections ?? expect.fail('there are no connections');
    const clientId = 'https://agent.example/client.json';
    const consent = { clientId, name: 'Agent', scopes: ['automations:read'], audience: 'agents' } as const;
    for (let n = 0; n < 19; n += 1) await connections.connect(ADA, consent);
    const { id } = await connections.connect(ADA, { ...consent, audience: 'api', scopes: SCOPES });
    await connections.findCaller({ clientId, connectionId: id, scopes: SCOPES });
    const text = textOf((await ada.open('/panel/connected')).body);
    expect(text.match(/Agent Not registered here: agent\.example/g)).to.have.length(1);
    expect(text).to.match(
      /the API, the tools for agents 20 times, since \d+ \w+ \d+ UTC until \d+ \w+ \d+ UTC (?!never)/,
    );
    const path = `/panel/connected/${id}/disconnect`;
    expect(textOf((await ada.open(path)).body))
      .to.include('All its connections end')
      .and.include('20 times');
    await ada.submit(path, {});
    expect((await connections.list(ADA)).items).to.deep.equal([]);
    expect((await ada.open(path)).status).to.equal(404);
  });

  it('list an app whose developer is suspended', async () => {
    const bob = signedIn({ developerId: parseDeveloperId('bob') });
    await core.accounts.invite(OPERATOR, 'bob');
    const app = await core.apps?.register(bob, { name: 'Ledger', kind: 'machine', redirectUris: [] });
    await core.connections?.connect(ADA, {
      clientId: app?.app.id ?? '',
      name: 'Ledger',
      scopes: ['automations:read'],
      audience: 'api',
    });
    await core.accounts.suspend(OPERATOR, 'bob');
    expect((await ada.open('/panel/connected')).body).to.include('an app that is not active at present');
  });

  it('tell the history in words, with the names of apps that are still there', async () => {
    const { id } = await registered();
    await ada.submit(`/panel/apps/${id}`, [...LEDGER.slice(1), ['name', 'Books']]);
    await ada.submit(`/panel/apps/${id}/secret`, {});
    const { connections } = core;
    if (connections === undefined) throw new Error('no connections');
    const consent = { clientId: id, name: 'Books', scopes: ['automations:read'], audience: 'api' } as const;
    const connect = async () => (await connections.connect(ADA, consent)).id;
    const [one, two, three] = [await connect(), await connect(), await connect()];
    await connections.end(one, 'disconnected-by-app', {});
    await connections.end(two, 'token-reused', {});
    await connections.disconnect(ADA, three);
    await ada.submit('/panel/keys', [
      ['name', 'ci'],
      ['expires', '90'],
      ['scopes', 'automations:read'],
    ]);
    expect(await rows(ada, '/panel/history?kind=apps')).to.deep.equal([
      `Disconnected the app You · * · Id: ${three}`,
      `A token was used twice. Disconnected the app The app · * · Id: ${two}`,
      `Disconnected the app The app · * · Id: ${one}`,
      ...[three, two, one].map((connection) => `Connected the app You · * · Id: ${connection}`),
      'Made a new secret for the app &quot;Books&quot; You · *',
      'Changed the app &quot;Books&quot; You · *',
      'Registered the app &quot;Books&quot; You · *',
    ]);
    expect((await rows(visitor('olga'), '/panel/operator/history?kind=apps'))[1]).to.equal(
      `A token was used twice. Disconnected the app The app · * · Developer: ada · Id: ${two}`,
    );
    await core.apps?.revoke(OPERATOR, id);
    expect((await rows(visitor('olga'), '/panel/operator/history?kind=apps'))[0]).to.equal(
      `Revoked the app A command · * · Developer: ada · Id: ${id}`,
    );
    const { id: other } = await registered();
    await ada.submit(`/panel/apps/${other}`, [...LEDGER.slice(1), ['name', 'Books']]);
    expect((await rows(visitor('olga'), '/panel/operator/history?kind=apps'))[0]).to.equal(
      'Changed the app &quot;Books&quot; ada · *',
    );
  });
});

function secretIn(body: string): string {
  return /id="new-secret"[^>]*>([^<]*)</.exec(body)?.[1] ?? '';
}

function textOf(body: string): string {
  return body.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');
}
