import { expect } from 'chai';
import { setTimeout } from 'node:timers/promises';
import * as oauth from 'openid-client';
import { sqliteStorage } from '../../../adapters/sql/sqlite/index.js';
import { newCore, OPERATOR, parseDeveloperId, type Core } from '../../../application/index.js';
import type { Storage } from '../../../domain/ports.js';
import { seeded } from '../../support/catalogue.js';
import { Front } from '../../support/front.js';
import { answer, OAuthApp, REDIRECT } from '../../support/oauth-app.js';
import { askForDevice, connectDevice, enterCode } from '../../support/oauth-device.js';
import { Visitor } from '../../support/panel-visitor.js';
import { Workplace, type ServiceProcess } from '../../support/process.js';
import { signedIn } from '../../support/signed-in.js';

const ROUNDS = 20;
const ADA = signedIn({ developerId: parseDeveloperId('ada') });
/** About twice as long as a request takes. */
const MAX_KILL_MS = 60;
/** For this time the same refresh gets the same answer, with room for the time at which it was used. */
const REPEAT_MS = 9_000;

describe('An authorization server that is killed', function () {
  this.timeout(600_000);
  const random = seeded(7);
  let front: Front;
  let place: Workplace;
  let service: ServiceProcess;
  let storage: Storage;
  let core: Core;
  let visitor: Visitor;
  let kills = 0;

  const restart = async () => {
    await service.kill();
    kills += 1;
    service = await place.serve();
    front.to(service);
  };
  const read = async (token: string) =>
    (await fetch(`${service.url}/api/automations`, { headers: { Authorization: `Bearer ${token}` } })).status;
  const register = async (kind: 'web' | 'native' | 'machine') => {
    const redirectUris = kind === 'machine' ? [] : [REDIRECT];
    const registered = await core.apps?.register(ADA, { name: `An app of kind ${kind}`, kind, redirectUris });
    if (registered === undefined) throw new Error('the storage has no records of apps');
    return OAuthApp.of(front.url, registered);
  };
  const connections = async () => (await core.connections?.list(ADA))?.items ?? [];

  /** Sends a request, and kills the process before the answer, or a little after. Returns the answer that arrived. */
  async function killedDuring<Answer>(send: () => Promise<Answer>): Promise<Answer | undefined> {
    const sent = send().catch(() => undefined);
    await setTimeout(random() * MAX_KILL_MS);
    await restart();
    return sent;
  }

  /** Returns the exchange of a code that a person has just allowed. */
  const allowed = async (app: OAuthApp) => {
    const asked = await app.ask();
    const callback = await answer(visitor, asked.url, 'allow');
    return () => app.exchange(callback, asked);
  };
  const allowedDevice = async (app: OAuthApp) => {
    const device = await askForDevice(app);
    await enterCode(visitor, device);
    return () => oauth.pollDeviceAuthorizationGrant(app.config, { ...device, interval: 0 });
  };

  before(async () => {
    front = await Front.open();
    place = await Workplace.open({ PUBLIC_URL: front.url, KEY_CACHE_SECONDS: '0' });
    service = await place.serve();
    front.to(service);
    storage = sqliteStorage(place.database);
    core = newCore(storage);
    visitor = new Visitor(front.url);
    const { token } = await core.accounts.invite(OPERATOR, 'ada');
    await visitor.accept(`${front.url}/panel/welcome/${token}`, 'ada@example.com');
  });
  afterEach(() => front.beforeEach(async () => undefined));
  after(async () => {
    await storage.close();
    await place.clear();
    await front.close();
  });

  for (const kind of ['web', 'native'] as const)
    it(`between any two requests of a ${kind} app and its person goes on where it was`, async () => {
      const app = await register(kind);
      front.beforeEach(restart);
      const before = kills;
      const first = await app.connect(visitor);
      const second = await app.refresh(String(first.refresh_token));
      expect(await read(second.access_token)).to.equal(200);
      await oauth.tokenRevocation(app.config, String(second.refresh_token));
      expect(await read(second.access_token)).to.equal(401);
      expect(kills - before).to.equal(7);
    });

  it('between any two requests of a device and its person goes on where it was', async () => {
    const app = await register('native');
    front.beforeEach(restart);
    const before = kills;
    const { access_token: token } = await connectDevice(app, visitor);
    expect([await read(token), kills - before]).to.deep.equal([200, 8]);
  });

  it('before and after a machine gets its token accepts the token', async () => {
    const app = await register('machine');
    front.beforeEach(restart);
    const { access_token: token } = await oauth.clientCredentialsGrant(app.config);
    await restart();
    expect(await read(token)).to.equal(200);
  });

  for (const kind of ['code', 'device code'] as const)
    it(`while a ${kind} is exchanged takes it once, and lets the app ask again at once`, async () => {
      const app = await register('native');
      for (let round = 0; round < ROUNDS; round += 1) {
        const exchange = kind === 'code' ? await allowed(app) : await allowedDevice(app);
        const arrived = await killedDuring(exchange);
        const later = await exchange().catch(() => undefined);
        expect(arrived !== undefined && later !== undefined, 'it was taken twice').to.equal(false);
        if (later !== undefined) expect(await exchange().catch(() => 'refused')).to.equal('refused');
        const again = await app.connect(visitor);
        expect(await read(again.access_token)).to.equal(200);
        for (const tokens of [arrived, later]) if (tokens) expect(await read(tokens.access_token)).to.equal(401);
      }
    });

  it('while a refresh token is exchanged answers the next try, as it may have before', async () => {
    const app = await register('native');
    let { refresh_token: token = '' } = await app.connect(visitor);
    for (let round = 0; round < ROUNDS; round += 1) {
      const begun = performance.now();
      const arrived = await killedDuring(() => app.refresh(token));
      const later = await app.refresh(token).catch(() => undefined);
      const isLate = performance.now() - begun > REPEAT_MS;
      if (!isLate || later !== undefined) {
        expect(later, 'the refresh token is gone').to.not.equal(undefined);
        if (arrived !== undefined) expect(later).to.deep.equal(arrived);
      }
      const next = later ?? (await app.connect(visitor));
      expect(await read(next.access_token)).to.equal(200);
      token = next.refresh_token ?? '';
    }
  });

  it('while a person allows an app has the whole consent or none, and lets the app ask again', async () => {
    const app = await register('native');
    for (let round = 0; round < ROUNDS; round += 1) {
      const asked = await app.ask();
      const question = (await visitor.open(asked.url.pathname + asked.url.search)).headers.get('location') ?? '';
      await visitor.open(question);
      await killedDuring(() => visitor.submit(question, { answer: 'allow' }));
      const sentAgain = await visitor.submit(question, { answer: 'allow' });
      const resume = sentAgain.headers.get('location') ?? asked.url.href;
      const next = await visitor.open(resume.slice(new URL(resume).origin.length));
      const place = new URL(next.headers.get('location') ?? '', front.url);
      const isConnected = place.searchParams.has('code');
      const tokens = isConnected ? await app.exchange(place.href, asked) : await app.connect(visitor);
      expect(await read(tokens.access_token)).to.equal(200);
      expect(await app.exchange(place.href, asked).catch(() => 'refused')).to.equal('refused');
    }
    expect((await connections()).every(({ scopes }) => scopes.length === 2)).to.equal(true);
  });
});
