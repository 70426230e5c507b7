import { expect } from 'chai';
import { setTimeout } from 'node:timers/promises';
import { Client, created, draft, type Answer } from '../../support/service/client.js';
import { AUDIENCE, startIssuer, type Issuer } from '../../support/issuer.js';
import { packagesLoadedBy } from '../../support/packages-loaded.js';
import { Workplace } from '../../support/process.js';

const PATH = '/.well-known/oauth-protected-resource';
const TIMEOUT_MS = 100_000;

describe('The service with an issuer', () => {
  let place: Workplace;
  let issuer: Issuer;
  beforeEach(async () => {
    place = await Workplace.open();
    issuer = await startIssuer();
  });
  afterEach(async () => {
    await place.clear();
    await issuer.leave();
  });

  const settings = () => ({ OAUTH_ISSUER: issuer.url, OAUTH_AUDIENCE: AUDIENCE });
  const challengeOf = async (url: string) => (await fetch(`${url}/api/automations`)).headers.get('WWW-Authenticate');

  it('takes its tokens beside keys, and says where they come from', async () => {
    const service = await place.serve({ ...settings(), PUBLIC_URL: 'https://market.example/shop' });
    const client = new Client(service.url, await issuer.token());
    expect(created(await client.post(draft(1, { category_id: 'uncategorized' }))).developer_id).to.match(/^person-/);
    client.close();
    const asked = await fetch(`${service.url}/api/automations`, {
      headers: { Authorization: `Bearer ${service.firstKey}` },
    });
    expect(asked.status).to.equal(200);
    const metadata = (await (await fetch(`${service.url}${PATH}`)).json()) as object;
    expect(metadata)
      .to.include({ resource: AUDIENCE })
      .and.to.deep.include({ authorization_servers: ['https://market.example/shop/oauth', issuer.url] });
    expect(await challengeOf(service.url)).to.equal(
      `Bearer realm="automation-marketplace", resource_metadata="https://market.example/shop${PATH}/api"`,
    );
    const document = (await (await fetch(`${service.url}/openapi.json`)).json()) as {
      components: { securitySchemes: object };
    };
    expect(document.components.securitySchemes).to.have.all.keys('apiKey', 'oauth', 'accessToken');
    expect(await service.stop()).to.equal(0);
  });

  it('starts while it is away, and heals by itself', async () => {
    const token = await issuer.token();
    await issuer.leave();
    const service = await place.serve(settings());
    const client = new Client(service.url, token);
    expect((await client.get('/automations')).status).to.equal(503);
    expect((await client.get('/automations', { authorization: `Bearer ${service.firstKey}` })).status).to.equal(200);
    await issuer.comeBack();
    const until = Date.now() + TIMEOUT_MS;
    let answer: Answer;
    do {
      await setTimeout(100);
      answer = await client.get('/automations');
    } while (answer.status === 503 && Date.now() < until);
    expect(answer.status).to.equal(200);
    await issuer.leave();
    expect((await client.get('/automations')).status).to.equal(200);
    client.close();
    expect(await service.stop()).to.equal(0);
    const failed = service.logged().find((line) => line.includes('request failed'));
    expect(failed).to.include('ECONNREFUSED').and.not.include(token);
  });

  it('names no address in its challenges that it was not told, without the own server', async () => {
    const service = await place.serve({ ...settings(), OAUTH_SERVER: 'off' });
    expect(await challengeOf(service.url)).to.equal('Bearer realm="automation-marketplace"');
    expect((await fetch(`${service.url}${PATH}`)).status).to.equal(200);
  });
});

describe('The service without an issuer and without its own server', () => {
  let place: Workplace;
  beforeEach(async () => {
    place = await Workplace.open();
  });
  afterEach(() => place.clear());

  it('takes no token, has no metadata and challenges as ever', async () => {
    const service = await place.serve({ PUBLIC_URL: 'https://market.example', OAUTH_SERVER: 'off' });
    expect((await fetch(`${service.url}${PATH}`)).status).to.equal(404);
    const { status, headers } = await fetch(`${service.url}/api/automations`, {
      headers: { Authorization: 'Bearer a.b.c' },
    });
    expect([status, headers.get('WWW-Authenticate')]).to.deep.equal([
      401,
      'Bearer realm="automation-marketplace", error="invalid_token"',
    ]);
  });

  it('does not load what verifies tokens', () => {
    const loaded = (module: string) =>
      packagesLoadedBy(new URL(`../../../composition/${module}.js`, import.meta.url).href, process.cwd());
    expect(loaded('program/run-service')).to.include('koa').and.not.include('jose');
    expect(loaded('modules/oauth')).not.to.include('jose');
  });
});
