import { expect } from 'chai';
import type { OAuthRecord } from '../../../../domain/ports.js';
import { AgentServer } from './agent-server.js';
import { Devices, type Device } from './devices.js';
import { Market, type Client, type Fields } from './market.js';
import { outcomeOf, refuses } from './outcome.js';

const MAX_RECORD_BYTES = 2_048;
const TOO_LONG = '303 invalid_request at http://127.0.0.1:5555/callback';
/** Each makes a record that is as long as 6 bytes for each byte of a request. */
const NULS = '\0'.repeat(9_000);
const UNUSED: Fields = Object.fromEntries(
  ['acr_values', 'claims_locales', 'display', 'login_hint', 'ui_locales'].map((name) => [name, 'u'.repeat(900)]),
);

describe('The authorization server stores little for a stranger: it refuses a request', () => {
  let market: Market;
  let app: Client;

  before(async () => {
    market = await Market.open();
    app = await market.register('native');
  });
  after(() => market.close());

  refuses([
    ['with a state of 7 KB', () => market.ask(app, { state: 'x'.repeat(7_000) }), TOO_LONG],
    [
      'with a state that is short, and long in its record',
      () => market.ask(app, { state: '\0'.repeat(250) }),
      TOO_LONG,
    ],
    [
      'with a nonce of 7 KB',
      () => market.ask(app, { scope: 'openid automations:read', nonce: 'x'.repeat(7_000) }),
      TOO_LONG,
    ],
    [
      'of a device with a nonce of 50 KB',
      () => market.postAs(app, '/device/auth', { scope: 'openid automations:read', nonce: NULS }),
      '400 invalid_request',
    ],
  ]);

  it('and says how long it may be', async () => {
    const { body } = await market.postAs(app, '/device/auth', {
      scope: 'openid automations:read',
      nonce: 'x'.repeat(5_000),
    });
    expect(body).to.include('at most 1300 are kept: shorten them, such as state');
  });

  it('and stores no parameter that nothing uses', async () => {
    expect(outcomeOf(await market.ask(app, { ...UNUSED, scope: 'openid automations:read' }))).to.equal(
      '303 /panel/consent/*',
    );
    const hint = { login_hint: 'u'.repeat(25_000), scope: `automations:read ${'u'.repeat(25_000)}` };
    expect(outcomeOf(await market.postAs(app, '/device/auth', hint))).to.equal('ACCEPTED 200');
    expect(market.written.filter((text) => text.includes('uuuu'))).to.deep.equal([]);
  });

  it('and keeps at most 2 KB of the longest requests, through all that follows', async () => {
    await market.tokens(app, { scope: 'openid automations:read', state: 'x'.repeat(900), nonce: 'n' });
    const devices = new Devices(market, app);
    const long = { scope: 'openid automations:read', nonce: 'x'.repeat(1_100) };
    await devices.allow(JSON.parse((await market.postAs(app, '/device/auth', long)).body) as Device);
    expect(longestOf(market.written)).to.be.above(1_500).and.below(MAX_RECORD_BYTES);
  });

  it('and keeps at most 2 KB of an agent whose addresses are as long as can be', async () => {
    const [id, redirectUri] = ['https://app.example/', 'https://app.example/back/'].map((text) =>
      text.padEnd(500, 'x'),
    );
    const grants = ['authorization_code', 'urn:ietf:params:oauth:grant-type:device_code'];
    const document = { client_id: id, redirect_uris: [redirectUri], grant_types: grants };
    const server = await AgentServer.start(() => Promise.resolve(Response.json(document)));
    const asked = await server.ask(String(id), { redirect_uri: redirectUri, state: 'x'.repeat(50) });
    const device = await server.askForDevice({
      client_id: id,
      scope: 'openid automations:read',
      nonce: 'x'.repeat(650),
    });
    expect([outcomeOf(asked), outcomeOf(device)]).to.deep.equal(['303 /panel/consent/*', 'ACCEPTED 200']);
    expect(longestOf(server.written)).to.be.above(1_500).and.below(MAX_RECORD_BYTES);
    await server.close();
  });
});

describe('The requests of a stranger that store something', () => {
  it('have a limit of their own: a fifth of all', async () => {
    const market = await Market.open({ settings: { RATE_LIMIT_PAGES: '50' } });
    const app = await market.register('native');
    const send = async (): Promise<readonly number[]> => [
      (await market.postAs(app, '/device/auth', {})).status,
      (await market.ask(app)).status,
      (await market.ada.open('/oauth/device')).status,
    ];
    for (let n = 0; n < 3; n += 1) expect(await send()).to.deep.equal([200, 303, 200]);
    expect(await send()).to.deep.equal([200, 429, 429]);
    const { status, headers } = await market.postAs(app, '/device/auth', {});
    expect(status).to.equal(429);
    expect(Number(headers.get('retry-after'))).to.be.within(1, 60);
    expect((await market.post('/token', {})).status).to.equal(400);
    await market.close();
  });
});

/** Returns the bytes of the longest content. */
function longestOf(written: readonly string[]): number {
  const records = written.map((text) => JSON.parse(text) as OAuthRecord);
  const requests = records.filter(({ kind }) => kind !== 'signing-key');
  return Math.max(...requests.map(({ content }) => Buffer.byteLength(content)));
}
