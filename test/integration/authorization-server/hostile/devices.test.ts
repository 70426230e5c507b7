import { expect } from 'chai';
import { OPERATOR } from '../../../../domain/access.js';
import { Devices, GRANT } from './devices.js';
import { Market, type Client } from './market.js';
import { outcomeOf, refuses } from './outcome.js';

const PENDING = '400 authorization_pending';

describe('The authorization server refuses a device', () => {
  let market: Market;
  let devices: Devices;
  let app: Client;
  let other: Client;

  before(async () => {
    market = await Market.open();
    app = await market.register('native');
    other = await market.register('native', { by: 'bob' });
    devices = new Devices(market, app);
  });
  after(() => market.close());

  it('nothing that a person allowed', async () => {
    const device = await devices.start();
    expect((await devices.allow(device)).body).to.include('Connected');
    expect(outcomeOf(await devices.poll(device))).to.equal('ACCEPTED 200');
  });

  refuses([
    ['that asks before a person allowed', async () => devices.poll(await devices.start()), PENDING],
    [
      'that asks ten times before a person allowed',
      async () => {
        const device = await devices.start();
        const answers = await Promise.all(Array.from({ length: 10 }, () => devices.poll(device)));
        return [...new Set(answers.map(outcomeOf))].join();
      },
      PENDING,
    ],
    [
      'whose code was entered and not confirmed',
      async () => {
        const device = await devices.start();
        await devices.enter({ user_code: device.user_code });
        return devices.poll(device);
      },
      PENDING,
    ],
    [
      'whose code was confirmed, before the answer',
      async () => {
        const device = await devices.start();
        await devices.confirm(device);
        return devices.poll(device);
      },
      PENDING,
    ],
    [
      'whose code was used',
      async () => {
        const device = await devices.start();
        await devices.allow(device);
        await devices.poll(device);
        return devices.poll(device);
      },
      '400 invalid_grant',
    ],
    [
      'with the code of another client',
      async () => {
        const device = await devices.start();
        await devices.allow(device);
        return devices.poll(device, other);
      },
      '400 invalid_grant',
    ],
    [
      'whose person refused',
      async () => {
        const device = await devices.start();
        await market.answer(await devices.confirm(device), 'cancel');
        return devices.poll(device);
      },
      '400 access_denied',
    ],
    [
      'whose person cancelled when they saw the code',
      async () => {
        const device = await devices.start();
        await devices.enter({ user_code: device.user_code, abort: 'yes' });
        return devices.poll(device);
      },
      '400 access_denied',
    ],
    [
      'whose code has expired',
      async () => {
        const device = await devices.start();
        return market.later(601, () => devices.poll(device));
      },
      '400 expired_token',
    ],
    [
      'that was allowed, after its code has expired',
      async () => {
        const device = await devices.start();
        await devices.allow(device);
        return market.later(601, () => devices.poll(device));
      },
      '400 expired_token',
    ],
    [
      'of an app that was revoked after a person allowed',
      async () => {
        const revoked = await market.register('native');
        const device = await devices.start(revoked);
        await devices.allow(device);
        await market.core.apps.revoke(OPERATOR, revoked.id);
        return devices.poll(device, revoked);
      },
      '401 invalid_client',
    ],
    [
      'for a person who was suspended after they allowed',
      async () => {
        const device = await devices.start();
        await devices.allow(device, await market.member('carol'));
        await market.suspend('carol');
        return devices.poll(device);
      },
      '400 invalid_grant',
    ],
    [
      'for a person who was suspended before they went on',
      async () => {
        const device = await devices.start();
        const visitor = await market.member('erin');
        const answered = await visitor.submit(await devices.confirm(device, visitor), { answer: 'allow' });
        await market.suspend('erin');
        await market.goOn(answered, visitor);
        return devices.poll(device);
      },
      '400 access_denied',
    ],
    ['with a code that there is none of', () => devices.poll({ device_code: 'x'.repeat(43) }), '400 invalid_grant'],
    [
      'with its user code for a device code',
      async () => devices.poll({ device_code: (await devices.start()).user_code }),
      '400 invalid_grant',
    ],
    [
      'with the stored id of its code',
      async () => devices.poll({ device_code: await storedId() }),
      '400 invalid_grant',
    ],
    [
      'with the stored id of its code as the server names it',
      async () => devices.poll({ device_code: `sha256:${await storedId()}` }),
      '400 invalid_grant',
    ],
    ['without a code', () => market.postAs(app, '/token', { grant_type: GRANT }), '400 invalid_request'],
    [
      'that wants a resource elsewhere',
      () => market.postAs(app, '/device/auth', { resource: 'https://elsewhere.example' }),
      '400 invalid_target',
    ],
    [
      'that wants both resources',
      () => market.postAs(app, '/device/auth', { resource: [`${market.url}/api`, `${market.url}/mcp`] }),
      '400 invalid_target',
    ],
    [
      'that wants another resource than the person allowed',
      async () => {
        const device = await devices.start();
        await devices.allow(device);
        return devices.poll(device, app, { resource: `${market.url}/mcp` });
      },
      '400 invalid_target',
    ],
  ]);

  const storedId = async () => {
    await devices.allow(await devices.start());
    return devices.stored.id;
  };

  it('of twenty requests at once for one code, to all but one', async () => {
    const device = await devices.start();
    await devices.allow(device);
    const answers = await Promise.all(Array.from({ length: 20 }, () => devices.poll(device)));
    expect(answers.map(outcomeOf).toSorted()).to.deep.equal([
      ...Array<string>(19).fill('400 invalid_grant'),
      'ACCEPTED 200',
    ]);
  });

  it('a browser that goes on with the question of another person', async () => {
    const device = await devices.start();
    const path = await devices.confirm(device);
    const sent = await market.ada.submit(path, { answer: 'allow' });
    expect(outcomeOf(await market.goOn(sent, await market.member('dora')))).to.equal('400');
    expect(outcomeOf(await devices.poll(device))).to.equal(PENDING);
  });
});
