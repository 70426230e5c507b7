import { expect } from 'chai';
import { OAuthApp } from '../../support/oauth-app.js';
import { OAuthStage, type Member } from '../../support/oauth-stage.js';
import { send } from '../../support/socket.js';
import { callMessage } from '../mcp/agent.js';

/** As a browser on this machine has it, or one that reaches a port that is mapped outside. */
const HOSTS = ['localhost', '127.0.0.1:8080', 'market.example'];

const METADATA = '/.well-known/oauth-authorization-server/oauth';
const PATHS: readonly (readonly [method: string, path: string])[] = [
  ['GET', '/oauth/auth?client_id=x'],
  ['POST', '/oauth/auth'],
  ['POST', '/oauth/token'],
  ['POST', '/oauth/token/revocation'],
  ['POST', '/oauth/device/auth'],
  ['GET', '/oauth/device'],
  ['GET', '/oauth/jwks'],
  ['GET', METADATA],
  ['GET', '/.well-known/openid-configuration/oauth'],
  ['GET', '/oauth/nothing'],
];

describe('The authorization server at another host than its own', () => {
  let stage: OAuthStage;
  let ada: Member;
  before(async () => {
    stage = await OAuthStage.start({ settings: { LOG_LEVEL: 'info' } });
    ada = await stage.member();
  });
  after(() => stage.close());

  const reasonFor = (host: string) =>
    `Host is ${host}, the server has the address ${stage.url}, and PUBLIC_URL is not set`;
  const lastOf = (route: string) => stage.service.logged.filter((line) => line.includes(`"route":"${route}`)).at(-1);

  for (const [method, path] of PATHS)
    it(`tells programs, people and the log what differs, for ${method} ${path}`, async () => {
      for (const host of HOSTS) {
        const headers = { Host: host };
        const document = await send(stage.url, { method, path, headers });
        expect([document.status, document.headers.get('Content-Type')]).to.deep.equal([
          400,
          'application/problem+json',
        ]);
        expect(JSON.parse(document.body)).to.include({
          code: 'malformed-request',
          type: '/problems/malformed-request',
        });
        const page = await send(stage.url, { method, path, headers: { ...headers, Accept: 'text/html' } });
        expect([page.status, page.headers.get('Content-Type')]).to.deep.equal([400, 'text/html; charset=utf-8']);
        for (const { body } of [document, page])
          expect(body).to.include(reasonFor(host)).and.include('sets PUBLIC_URL');
        expect(lastOf(path.startsWith('/oauth') ? '/oauth/*' : '/.well-known')).to.include(reasonFor(host));
      }
    });

  it('does so at the question in the panel', async () => {
    const app = await OAuthApp.of(stage.url, await stage.register(ada.by, 'native'));
    const { url } = await app.ask();
    const question = (await ada.visitor.open(url.pathname + url.search)).headers.get('location') ?? '';
    const cookies = Array.from(ada.visitor.cookies, ([name, value]) => `${name}=${value}`).join('; ');
    const headers = { Host: 'localhost:8080', Cookie: cookies, Accept: 'text/html' };
    const { status, body } = await send(stage.url, { method: 'GET', path: question, headers });
    expect(status).to.equal(400);
    expect(body).to.include(reasonFor('localhost:8080'));
    expect(lastOf('/panel/consent')).to.include(reasonFor('localhost:8080'));
  });

  it('tells an agent without credentials', async () => {
    const body = JSON.stringify(callMessage('list_categories'));
    const ask = (host: string, more: Record<string, string> = {}) =>
      send(stage.url, {
        method: 'POST',
        path: '/mcp',
        headers: {
          Host: host,
          'Content-Type': 'application/json',
          'Content-Length': body.length,
          Accept: 'application/json, text/event-stream',
          ...more,
        },
        body,
      });
    const refused = await ask('localhost:8080');
    expect([refused.status, JSON.parse(refused.body)]).to.have.nested.property('[1].code', 'missing-credentials');
    expect(refused.headers.get('WWW-Authenticate')).to.include(`resource_metadata="${stage.url}/`);
    expect(refused.body).to.include(reasonFor('localhost:8080'));
    expect(lastOf('/mcp')).to.include(reasonFor('localhost:8080'));
    const own = await ask(new URL(stage.url).host);
    expect(own.body).to.include('missing-credentials').and.not.include('PUBLIC_URL');
    const key = await stage.service.key('ada');
    expect((await ask('localhost:8080', { Authorization: `Bearer ${key}` })).status).to.equal(200);
  });

  it('takes its own host in capitals', async () => {
    const { host } = new URL(stage.url);
    expect(
      (await send(stage.url, { method: 'GET', path: METADATA, headers: { Host: host.toUpperCase() } })).status,
    ).to.equal(200);
  });
});

describe('The authorization server with a public address', () => {
  it('takes every host: the proxy has chosen it', async () => {
    const stage = await OAuthStage.start({ settings: { PUBLIC_URL: 'https://market.example' } });
    const headers = { Host: 'inside:3000' };
    expect((await send(stage.url, { method: 'GET', path: METADATA, headers })).status).to.equal(200);
    await stage.close();
  });
});
