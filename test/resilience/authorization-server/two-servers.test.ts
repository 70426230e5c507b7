import { expect } from 'chai';
import { setTimeout } from 'node:timers/promises';
import * as oauth from 'openid-client';
import { rotateSigningKeys } from '../../../adapters/authorization-server/index.js';
import { cachedStorage } from '../../../adapters/storage/index.js';
import { OPERATOR } from '../../../domain/access.js';
import { Front } from '../../support/front.js';
import { hasMongo } from '../../support/mongod.js';
import { answer, OAuthApp } from '../../support/oauth-app.js';
import { connectDevice } from '../../support/oauth-device.js';
import { OAuthStage } from '../../support/oauth-stage.js';
import { newPlace, openPlace, removePlace, type Place } from '../../support/place.js';
import { hasPostgres } from '../../support/postgres.js';
import { repeatRefresh } from '../../support/repeated-refresh.js';

const CACHE_SECONDS = 1;
/** Room for a machine that is busy. */
const LATE_MS = CACHE_SECONDS * 1000 + 1_000;
const SHARED: readonly Place['kind'][] = [
  'SQLite',
  ...(hasPostgres() ? (['PostgreSQL'] as const) : []),
  ...(hasMongo() ? (['MongoDB'] as const) : []),
];

for (const kind of SHARED)
  describe(`Two authorization servers on one store in ${kind}`, () => {
    let place: Place;
    let front: Front;
    let one: OAuthStage;
    let other: OAuthStage;

    const start = () => {
      const repositories = cachedStorage(openPlace(place), { seconds: CACHE_SECONDS });
      return OAuthStage.start({ repositories, settings: { PUBLIC_URL: front.url } });
    };
    before(async () => {
      place = await newPlace(kind);
      front = await Front.open();
      one = await start();
      other = await start();
      front.to(one);
    });
    after(async () => {
      await Promise.all([one.close(), other.close(), front.close()]);
      await removePlace(place);
    });

    /** Returns the statuses of the token at both. */
    const read = (token: string) => Promise.all([one.read(token), other.read(token)]);
    const newApp = async (by: Parameters<OAuthStage['register']>[0], app: 'web' | 'native' | 'machine') =>
      OAuthApp.of(front.url, await one.register(by, app));
    /** Waits until the other one refuses a token, and fails when that takes too long. */
    const stopsAtOther = async (
      token: string,
      use: (token: string) => Promise<number> = (text) => other.read(text),
    ) => {
      const start = performance.now();
      for (let asked = start; (await use(token)) < 400; asked = performance.now()) {
        if (asked - start > LATE_MS) throw new Error('the token is still accepted');
        await setTimeout(50);
      }
    };

    it('make their keys at the same time, and each accepts at once what the other signed', async () => {
      const { by } = await one.member('developer', front.url);
      const registered = await one.register(by, 'machine');
      const ask = async (stage: OAuthStage) => {
        front.to(stage);
        return OAuthApp.of(front.url, registered);
      };
      const [first, second] = [await ask(one), await ask(other)];
      front.inTurn([one, other]);
      const apps = [first, second, first, second];
      const tokens = await Promise.all(apps.map(({ config }) => oauth.clientCredentialsGrant(config)));
      for (const { access_token: token } of tokens) expect(await read(token)).to.deep.equal([200, 200]);
    });

    for (const app of ['web', 'native'] as const)
      it(`let a ${app} app ask, exchange its code and refresh, each request at the next of them`, async () => {
        front.to(one);
        const { by, visitor } = await one.member('developer', front.url);
        const client = await newApp(by, app);
        for (const order of [
          [one, other],
          [other, one],
        ]) {
          front.inTurn(order);
          const first = await client.connect(visitor);
          const second = await client.refresh(String(first.refresh_token));
          const third = await client.refresh(String(second.refresh_token));
          expect(await read(third.access_token)).to.deep.equal([200, 200]);
        }
      });

    it('connect a device, each request at the next of them', async () => {
      front.to(one);
      const { by, visitor } = await one.member('developer', front.url);
      const client = await newApp(by, 'native');
      for (const order of [
        [one, other],
        [other, one],
      ]) {
        front.inTurn(order);
        expect(await read((await connectDevice(client, visitor)).access_token)).to.deep.equal([200, 200]);
      }
    });

    it('end a token that one of them is given back within KEY_CACHE_SECONDS at the other', async () => {
      front.to(one);
      const { by, visitor } = await one.member('developer', front.url);
      const client = await newApp(by, 'native');
      const asked = await client.ask();
      const callback = await answer(visitor, asked.url, 'allow');
      front.to(other);
      const first = await client.exchange(callback, asked);
      front.to(one);
      const second = await client.refresh(String(first.refresh_token));
      expect(await read(second.access_token)).to.deep.equal([200, 200]);
      await oauth.tokenRevocation(client.config, String(second.refresh_token));
      expect(await one.read(second.access_token)).to.equal(401);
      await stopsAtOther(second.access_token);
    });

    for (const [title, end] of [
      ['a connection that is ended', 'disconnect'],
      ['an app that is revoked', 'revoke'],
      ['an app that an operator revokes', 'revoke-by-operator'],
      ['a developer who is suspended', 'suspend'],
    ] as const)
      it(`stop the tokens of ${title} at one of them within KEY_CACHE_SECONDS at the other`, async () => {
        front.to(one);
        const { by, visitor } = await one.member('developer', front.url);
        const registered = await one.register(by, 'native');
        const client = await OAuthApp.of(front.url, registered);
        const machine = await one.register(by, 'machine');
        const own = await oauth.clientCredentialsGrant((await OAuthApp.of(front.url, machine)).config);
        const { access_token: token, refresh_token: refresh } = await client.connect(visitor);
        expect([await read(token), await read(own.access_token)]).to.deep.equal([
          [200, 200],
          [200, 200],
        ]);
        const { connections, apps, accounts } = one.core;
        const [connection] = (await connections.list(by)).items;
        if (end === 'disconnect') await connections.disconnect(by, String(connection?.id));
        else if (end === 'suspend') await accounts.suspend(OPERATOR, by.developerId);
        else for (const { app } of [registered, machine]) await apps.revoke(end === 'revoke' ? by : OPERATOR, app.id);
        await stopsAtOther(token);
        if (end !== 'disconnect') await stopsAtOther(own.access_token);
        front.to(other);
        expect(await client.refresh(String(refresh)).catch(() => 'refused')).to.equal('refused');
        if (end !== 'suspend') return;
        await accounts.restore(OPERATOR, by.developerId);
        await setTimeout(LATE_MS);
        expect([await read(token), await read(own.access_token)]).to.deep.equal([
          [200, 200],
          [200, 200],
        ]);
      });

    it('take the right to publish from a developer who becomes a buyer at one of them', async () => {
      front.to(one);
      const { by, visitor } = await one.member('developer', front.url);
      const { access_token: token } = await (await newApp(by, 'native')).connect(visitor);
      expect(await other.publish(token)).to.equal(201);
      await one.core.accounts.setRole(OPERATOR, by.developerId, 'buyer');
      await stopsAtOther(token, (text) => other.publish(text));
      expect(await read(token)).to.deep.equal([200, 200]);
    });

    it('give tokens to one of many exchanges of a code that both are sent at once', async () => {
      front.to(one);
      const { by, visitor } = await one.member('developer', front.url);
      const client = await newApp(by, 'native');
      for (let round = 0; round < 5; round += 1) {
        front.inTurn([one, other]);
        const asked = await client.ask();
        const callback = await answer(visitor, asked.url, 'allow');
        const sends = Array.from({ length: 6 }, () => client.exchange(callback, asked).catch(() => undefined));
        expect((await Promise.all(sends)).filter(Boolean)).to.have.length(1);
      }
    });

    for (const apartMs of [0, 10, 100])
      it(`give a refresh token that is sent to both in turn, ${apartMs} ms apart, the same answer`, async () => {
        const { by, visitor } = await one.member('developer', front.url);
        front.to(one);
        const client = await newApp(by, 'native');
        let next = (await client.connect(visitor)).refresh_token;
        const services = { urls: [one.url, other.url], clientId: client.config.clientMetadata().client_id };
        for (let sends = 2; sends <= 5; sends += 1) {
          const repeated = await repeatRefresh({ ...services, token: String(next), sends, apartMs });
          expect(repeated.fate).to.equal('same pair');
          ({ next } = repeated);
        }
      });

    it('take up a new key, and refuse no token and lose no question while they do', async () => {
      front.to(one);
      const { by, visitor } = await one.member('developer', front.url);
      const client = await newApp(by, 'native');
      const old = await client.connect(visitor);
      const storage = openPlace(place);
      const { oauthRecords } = storage;
      if (oauthRecords === undefined) throw new Error('the storage has no records');
      const id = await rotateSigningKeys(OPERATOR, { oauthRecords, audit: one.core.audit });
      await storage.close();
      const keyOf = (token: string) =>
        (JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()) as { kid: string }).kid;
      const end = performance.now() + 17_000;
      let key = '';
      while (performance.now() < end) {
        // A person has at most 100 connections: one more would end the first.
        await setTimeout(250);
        front.inTurn([one, other]);
        const { access_token: token } = await client.connect(visitor);
        expect(await read(token)).to.deep.equal([200, 200]);
        key = keyOf(token);
      }
      expect(key).to.equal(id);
      expect(await read(old.access_token)).to.deep.equal([200, 200]);
    });
  });
