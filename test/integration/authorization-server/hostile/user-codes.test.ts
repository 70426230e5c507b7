import { Devices, problemIn } from './devices.js';
import { Market, type Fields } from './market.js';
import { outcomeOf, refuses } from './outcome.js';

const PENDING = '400 authorization_pending';

describe('The authorization server refuses a device', () => {
  let market: Market;
  let devices: Devices;

  before(async () => {
    market = await Market.open();
    devices = new Devices(market, await market.register('native'));
  });
  after(() => market.close());

  const sent = async (fields: Readonly<Record<string, string>>) =>
    problemIn(await market.ada.submit('/oauth/device', fields, { withToken: false }));
  const OTHER = 'This did not work. Enter the code again, or start again in the program.';
  const NONE = 'There is no such code. Check it, and enter it again.';
  const USED = 'This code was already used. Start again in the program.';
  const problemOf = async (fields: Fields) => problemIn(await devices.enter(fields));

  refuses([
    ['whose user code is wrong', () => problemOf({ user_code: 'BBBB-BBBB' }), `200 ${NONE}`],
    ['whose user code is missing', () => problemOf({}), '200 Code is required.'],
    [
      'whose user code is stored',
      async () => {
        await devices.start();
        return problemOf({ user_code: `sha256:${devices.stored.userCode}` });
      },
      `200 ${NONE}`,
    ],
    ['whose user code has 50,000 characters', () => problemOf({ user_code: 'B'.repeat(50_000) }), `200 ${NONE}`],
    [
      'whose user code a person allowed',
      async () => {
        const device = await devices.start();
        await devices.allow(device);
        return problemOf({ user_code: device.user_code, confirm: 'yes' });
      },
      `200 ${NONE}`,
    ],
    [
      'whose user code another person confirmed',
      async () => {
        const device = await devices.start();
        await devices.confirm(device, market.bob);
        return problemOf({ user_code: device.user_code, confirm: 'yes' });
      },
      `200 ${USED}`,
    ],
    [
      'whose user code has expired',
      async () => {
        const { user_code: code } = await devices.start();
        return market.later(601, () => problemOf({ user_code: code, confirm: 'yes' }));
      },
      '200 This code has expired. Start again in the program.',
    ],
    [
      'confirmed from a form without its token',
      async () => {
        await devices.open();
        return sent({ user_code: (await devices.start()).user_code, confirm: 'yes' });
      },
      `400 ${OTHER}`,
    ],
    [
      'confirmed from a form with the token of another browser',
      async () => {
        const xsrf = await devices.open(market.bob);
        await devices.open();
        return sent({ xsrf, user_code: (await devices.start()).user_code, confirm: 'yes' });
      },
      `400 ${OTHER}`,
    ],
    [
      'confirmed by GET',
      async () => {
        const device = await devices.start();
        await market.ada.open(`/oauth/device?user_code=${device.user_code}&confirm=yes`);
        return outcomeOf(await devices.poll(device));
      },
      PENDING,
    ],
  ]);
});
