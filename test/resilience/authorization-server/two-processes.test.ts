import { expect } from 'chai';
import { setTimeout } from 'node:timers/promises';
import { sqliteStorage } from '../../../adapters/sql/sqlite/index.js';
import { newCore, OPERATOR, parseDeveloperId } from '../../../application/index.js';
import type { Storage } from '../../../domain/ports.js';
import { Front } from '../../support/front.js';
import { OAuthApp, REDIRECT } from '../../support/oauth-app.js';
import { connectDevice } from '../../support/oauth-device.js';
import { Visitor } from '../../support/panel-visitor.js';
import { Workplace, type ServiceProcess } from '../../support/process.js';
import { SERVERS, SETTINGS } from '../../support/servers.js';
import { signedIn } from '../../support/signed-in.js';

const ADA = signedIn({ developerId: parseDeveloperId('ada') });
const CACHE_SECONDS = 1;
/** Room for a machine that is busy. */
const LATE_MS = CACHE_SECONDS * 1000 + 1_000;
/** After this time, every process signs with a new key. */
const ROTATED_MS = 17_000;

for (const [kind, newSettings] of Object.entries(SETTINGS))
  describe(`Two processes with an authorization server on one store in ${kind}`, () => {
    let front: Front;
    let place: Workplace;
    let storage: Storage;
    let services: readonly ServiceProcess[];
    let visitor: Visitor;

    /** Returns the statuses of a token at both. */
    const read = (token: string) =>
      Promise.all(
        services.map(async ({ url }) => {
          const answer = await fetch(`${url}/api/automations`, { headers: { Authorization: `Bearer ${token}` } });
          await answer.arrayBuffer();
          return answer.status;
        }),
      );
    const register = async () => {
      const request = { name: 'Ledger', kind: 'native', redirectUris: [REDIRECT] };
      const registered = await newCore(storage).apps?.register(ADA, request);
      if (registered === undefined) throw new Error('the storage has no records of apps');
      return registered;
    };
    const keyOf = (token: string) =>
      (JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()) as { readonly kid: string }).kid;

    before(async () => {
      front = await Front.open();
      const settings = await newSettings();
      place = await Workplace.open({ ...settings, PUBLIC_URL: front.url, KEY_CACHE_SECONDS: String(CACHE_SECONDS) });
      services = await Promise.all([place.serve(), place.serve()]);
      front.inTurn(services);
      storage = SERVERS[kind]?.join(settings) ?? sqliteStorage(place.database);
      visitor = new Visitor(front.url);
      const { token } = await newCore(storage).accounts.invite(OPERATOR, 'ada');
      await visitor.accept(`${front.url}/panel/welcome/${token}`, 'ada@example.com');
    });
    after(async () => {
      await storage.close();
      await place.clear();
      await front.close();
    });

    it('connect apps and devices, each request at the next of them, and accept each token', async () => {
      const app = await OAuthApp.of(front.url, await register());
      for (let round = 0; round < 5; round += 1) {
        const first = await app.connect(visitor);
        const second = await app.refresh(String(first.refresh_token));
        const third = await connectDevice(app, visitor);
        for (const { access_token: token } of [first, second, third])
          expect(await read(token)).to.deep.equal([200, 200]);
      }
    });

    it('stop the tokens of an app that the operator revokes by a command within KEY_CACHE_SECONDS', async () => {
      const registered = await register();
      const app = await OAuthApp.of(front.url, registered);
      const { access_token: token } = await app.connect(visitor);
      expect(await read(token)).to.deep.equal([200, 200]);
      expect(await place.run(['apps', 'revoke', registered.app.id])).to.include({ code: 0 });
      await setTimeout(LATE_MS);
      expect(await read(token)).to.deep.equal([401, 401]);
      expect(await app.connect(visitor).catch(() => 'refused')).to.equal('refused');
    });

    it('take up a key that a command makes, refuse no token, and lose no question while they do', async () => {
      const app = await OAuthApp.of(front.url, await register());
      const old = await app.connect(visitor);
      const rotated = await place.run(['apps', 'rotate-keys']);
      expect(rotated.code).to.equal(0);
      const end = performance.now() + ROTATED_MS;
      const keys = new Set<string>();
      let last = old.access_token;
      while (performance.now() < end) {
        // A person has at most 100 connections: one more would end the first.
        await setTimeout(250);
        last = (await app.connect(visitor)).access_token;
        keys.add(keyOf(last));
        expect(await read(last)).to.deep.equal([200, 200]);
      }
      expect(keys.size).to.equal(2);
      expect(rotated.stdout).to.include(keyOf(last));
      expect(await read(old.access_token)).to.deep.equal([200, 200]);
    });
  });
