import { expect } from 'chai';
import * as oauth from 'openid-client';
import { answer, OAuthApp } from '../../support/oauth-app.js';
import { askForDevice, enterCode } from '../../support/oauth-device.js';
import { OAuthStage } from '../../support/oauth-stage.js';

describe('What apps do with tokens of the authorization server', () => {
  it('counts to the quotas of the developer for whom they act', async () => {
    const stage = await OAuthStage.start({ settings: { RATE_LIMIT_READS: '3', RATE_LIMIT_CREATES: '2' } });
    const [maker, ada, bob] = [await stage.member(), await stage.member(), await stage.member()];
    const app = await OAuthApp.of(stage.url, await stage.register(maker.by, 'web'));
    const machine = await OAuthApp.of(stage.url, await stage.register(ada.by, 'machine'));
    const [first, second] = [await app.connect(ada.visitor), await app.connect(ada.visitor)];
    const own = await oauth.clientCredentialsGrant(machine.config);
    const key = await stage.service.key(ada.by.developerId);
    const credentials = [first.access_token, second.access_token, own.access_token, key];
    const statuses = [];
    for (const credential of credentials) statuses.push(await stage.read(credential));
    expect(statuses).to.deep.equal([200, 200, 200, 429]);
    const creates = [];
    for (const credential of credentials) creates.push(await stage.publish(credential));
    expect(creates).to.deep.equal([201, 201, 429, 429]);
    expect(await stage.read((await app.connect(bob.visitor)).access_token)).to.equal(200);
    await stage.close();
  });

  it('stands in the log with the id of the app, and without any secret', async () => {
    const stage = await OAuthStage.start({ settings: { LOG_LEVEL: 'debug' } });
    const { by, visitor } = await stage.member();
    const [web, native, machine] = [
      await stage.register(by, 'web'),
      await stage.register(by, 'native'),
      await stage.register(by, 'machine'),
    ];
    const app = await OAuthApp.of(stage.url, web);
    const asked = await app.ask();
    const callback = await answer(visitor, asked.url, 'allow');
    const first = await app.exchange(callback, asked);
    const second = await app.refresh(String(first.refresh_token));
    const device = await OAuthApp.of(stage.url, native);
    const waiting = await askForDevice(device);
    await enterCode(visitor, waiting, 'address');
    const third = await oauth.pollDeviceAuthorizationGrant(device.config, { ...waiting, interval: 0 });
    const ofMachine = await oauth.clientCredentialsGrant((await OAuthApp.of(stage.url, machine)).config);
    const tokens = [first, second, third, ofMachine];
    for (const { access_token: token } of tokens) await stage.read(token);
    await oauth.tokenRevocation(app.config, String(second.refresh_token));
    const used = [web, web, native, machine].map(({ app: { id } }) => id);
    const uses = stage.service.logged.filter((line) => line.includes('"route":"/automations"'));
    expect(uses.map((line) => (JSON.parse(line) as { readonly keyId: string }).keyId)).to.deep.equal(used);
    const log = stage.service.logged.join('\n');
    const secrets = [
      ...tokens.flatMap(({ access_token: token, refresh_token: refresh = token }) => [token, refresh]),
      ...[web, machine].map(({ secret = '' }) => secret),
      ...[waiting.device_code, waiting.user_code, asked.verifier, new URL(callback).searchParams.get('code') ?? ''],
      ...visitor.cookies.values(),
    ];
    for (const secret of secrets) expect(log).to.not.include(secret);
    expect(secrets.every((secret) => secret.length > 7)).to.equal(true);
    await stage.close();
  });
});
