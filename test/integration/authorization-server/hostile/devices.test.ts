import { expect } from 'chai';
import type { Visitor } from '../../../support/panel-visitor.js';
import { OPERATOR } from '../../../../domain/access.js';
import { Market, pathOf, type Client, type Fields } from './market.js';
import { outcomeOf, refuses } from './outcome.js';

const GRANT = 'urn:ietf:params:oauth:grant-type:device_code';
const XSRF = /name="xsrf" value="([^"]*)"/;
const PENDING = '400 authorization_pending';

interface Device {
  readonly device_code: string;
  readonly user_code: string;
}

describe('The authorization server refuses a device', () => {
  let market: Market;
  let app: Client;
  let other: Client;

  before(async () => {
    market = await Market.open();
    app = await market.register('native');
    other = await market.register('native', { by: 'bob' });
  });
  after(() => market.close());

  const start = async (client = app): Promise<Device> =>
    JSON.parse((await market.postAs(client, '/device/auth', { scope: 'automations:read' })).body) as Device;
  const poll = ({ device_code: code }: Pick<Device, 'device_code'>, client = app) =>
    market.postAs(client, '/token', { grant_type: GRANT, device_code: code });
  const enter = async (fields: Fields, visitor = market.ada) => {
    const xsrf = XSRF.exec((await visitor.open('/oauth/device')).body)?.[1] ?? '';
    return visitor.submit('/oauth/device', { xsrf, ...fields }, { withToken: false });
  };
  /** Enters and confirms the code, and returns the path of the question. */
  const confirm = async ({ user_code: code }: Device, visitor = market.ada) => {
    await enter({ user_code: code }, visitor);
    const path = pathOf(await enter({ user_code: code, confirm: 'yes' }, visitor));
    await visitor.open(path);
    return path;
  };
  const allow = async (device: Device, visitor = market.ada) =>
    market.answer(await confirm(device, visitor), 'allow', visitor);

  it('nothing that a person allowed', async () => {
    const device = await start();
    expect((await allow(device)).body).to.include('Connected');
    expect(outcomeOf(await poll(device))).to.equal('ACCEPTED 200');
  });

  refuses([
    ['that asks before a person allowed', async () => poll(await start()), PENDING],
    [
      'that asks ten times before a person allowed',
      async () => {
        const device = await start();
        const answers = await Promise.all(Array.from({ length: 10 }, () => poll(device)));
        return [...new Set(answers.map(outcomeOf))].join();
      },
      PENDING,
    ],
    [
      'whose code was entered and not confirmed',
      async () => {
        const device = await start();
        await enter({ user_code: device.user_code });
        return poll(device);
      },
      PENDING,
    ],
    [
      'whose code was confirmed, before the answer',
      async () => {
        const device = await start();
        await confirm(device);
        return poll(device);
      },
      PENDING,
    ],
    [
      'whose code was used',
      async () => {
        const device = await start();
        await allow(device);
        await poll(device);
        return poll(device);
      },
      '400 invalid_grant',
    ],
    [
      'with the code of another client',
      async () => {
        const device = await start();
        await allow(device);
        return poll(device, other);
      },
      '400 invalid_grant',
    ],
    [
      'whose person refused',
      async () => {
        const device = await start();
        await market.answer(await confirm(device), 'cancel');
        return poll(device);
      },
      '400 access_denied',
    ],
    [
      'whose person cancelled when they saw the code',
      async () => {
        const device = await start();
        await enter({ user_code: device.user_code, abort: 'yes' });
        return poll(device);
      },
      '400 access_denied',
    ],
    [
      'whose code has expired',
      async () => {
        const device = await start();
        return market.later(601, () => poll(device));
      },
      '400 expired_token',
    ],
    [
      'that was allowed, after its code has expired',
      async () => {
        const device = await start();
        await allow(device);
        return market.later(601, () => poll(device));
      },
      '400 expired_token',
    ],
    [
      'of an app that was revoked after a person allowed',
      async () => {
        const revoked = await market.register('native');
        const device = await start(revoked);
        await allow(device);
        await market.core.apps.revoke(OPERATOR, revoked.id);
        return poll(device, revoked);
      },
      '401 invalid_client',
    ],
    [
      'for a person who was suspended after they allowed',
      async () => {
        const device = await start();
        await allow(device, await market.member('carol'));
        await market.suspend('carol');
        return poll(device);
      },
      '400 invalid_grant',
    ],
    [
      'for a person who was suspended before they went on',
      async () => {
        const device = await start();
        const visitor = await market.member('erin');
        const answered = await visitor.submit(await confirm(device, visitor), { answer: 'allow' });
        await market.suspend('erin');
        await market.goOn(answered, visitor);
        return poll(device);
      },
      '400 access_denied',
    ],
    ['with a code that there is none of', () => poll({ device_code: 'x'.repeat(43) }), '400 invalid_grant'],
    [
      'with its user code for a device code',
      async () => poll({ device_code: (await start()).user_code }),
      '400 invalid_grant',
    ],
    ['with the stored id of its code', async () => poll({ device_code: await storedId() }), '400 invalid_grant'],
    [
      'with the stored id of its code as the server names it',
      async () => poll({ device_code: `sha256:${await storedId()}` }),
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
        const device = await start();
        await allow(device);
        return market.postAs(app, '/token', { grant_type: GRANT, ...codeOf(device), resource: `${market.url}/mcp` });
      },
      '400 invalid_target',
    ],
  ]);

  const codeOf = ({ device_code: code }: Device) => ({ device_code: code });
  const storedId = async () => {
    await allow(await start());
    const record = market.written.findLast((text) => text.includes('"kind":"device-code"')) ?? '';
    return (JSON.parse(record) as { readonly id: string }).id;
  };

  const shown = async (visitor: Visitor, fields: Fields, headers?: Record<string, string>) => {
    const { status, body } = await visitor.submit('/oauth/device', fields as Record<string, string>, {
      withToken: false,
      ...(headers && { headers }),
    });
    return `${status} ${/role="alert">([^<]*)</.exec(body)?.[1] ?? ''}`;
  };
  const OTHER = 'This did not work. Enter the code again, or start again in the program.';
  const NONE = 'There is no such code. Check it, and enter it again.';
  const USED = 'This code was already used. Start again in the program.';
  const problemOf = async (fields: Fields) => {
    const { status, body } = await enter(fields);
    return `${status} ${/role="alert">([^<]*)</.exec(body)?.[1] ?? ''}`;
  };

  refuses([
    ['whose user code is wrong', () => problemOf({ user_code: 'BBBB-BBBB' }), `200 ${NONE}`],
    ['whose user code is missing', () => problemOf({}), '200 Code is required.'],
    [
      'whose user code is stored',
      async () => {
        await start();
        const record = market.written.findLast((text) => text.includes('"kind":"device-code"')) ?? '';
        const { userCode } = JSON.parse(record) as { readonly userCode: string };
        return problemOf({ user_code: `sha256:${userCode}` });
      },
      `200 ${NONE}`,
    ],
    ['whose user code has 50,000 characters', () => problemOf({ user_code: 'B'.repeat(50_000) }), `200 ${NONE}`],
    [
      'whose user code a person allowed',
      async () => {
        const device = await start();
        await allow(device);
        return problemOf({ user_code: device.user_code, confirm: 'yes' });
      },
      `200 ${NONE}`,
    ],
    [
      'whose user code another person confirmed',
      async () => {
        const device = await start();
        await confirm(device, market.bob);
        return problemOf({ user_code: device.user_code, confirm: 'yes' });
      },
      `200 ${USED}`,
    ],
    [
      'whose user code has expired',
      async () => {
        const { user_code: code } = await start();
        return market.later(601, () => problemOf({ user_code: code, confirm: 'yes' }));
      },
      '200 This code has expired. Start again in the program.',
    ],
    [
      'confirmed from a form without its token',
      async () => {
        await market.ada.open('/oauth/device');
        return shown(market.ada, { user_code: (await start()).user_code, confirm: 'yes' });
      },
      `400 ${OTHER}`,
    ],
    [
      'confirmed from a form with the token of another browser',
      async () => {
        const xsrf = XSRF.exec((await market.bob.open('/oauth/device')).body)?.[1];
        await market.ada.open('/oauth/device');
        return shown(market.ada, { xsrf, user_code: (await start()).user_code, confirm: 'yes' });
      },
      `400 ${OTHER}`,
    ],
    [
      'confirmed by GET',
      async () => {
        const device = await start();
        await market.ada.open(`/oauth/device?user_code=${device.user_code}&confirm=yes`);
        return outcomeOf(await poll(device));
      },
      PENDING,
    ],
  ]);

  it('of twenty requests at once for one code, to all but one', async () => {
    const device = await start();
    await allow(device);
    const answers = await Promise.all(Array.from({ length: 20 }, () => poll(device)));
    expect(answers.map(outcomeOf).toSorted()).to.deep.equal([
      ...Array<string>(19).fill('400 invalid_grant'),
      'ACCEPTED 200',
    ]);
  });

  it('a browser that goes on with the question of another person', async () => {
    const device = await start();
    const path = await confirm(device);
    const sent = await market.ada.submit(path, { answer: 'allow' });
    expect(outcomeOf(await market.goOn(sent, await market.member('dora')))).to.equal('400');
    expect(outcomeOf(await poll(device))).to.equal(PENDING);
  });
});
